//! The prompts. The user can read, change and reset each of them.
//!
//! Example: the user adds a line to *Synthesis*. The difference from the default is shown
//! below, and *Apply* saves the prompt. If the worker refuses the text, the reason and its line
//! are shown at the field. The typed text of a prompt is kept while the user looks at another
//! prompt.

use super::prelude::*;
use crate::browser::{focus_id, value};
use gloss::app::preferences::{FieldName, Preferences};
use gloss::model::Language;
use gloss::prompts::{
    Kind, Line, Name, SYSTEM_TOKENS, Template, beyond_budget, check, default_body, difference,
    is_default,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The state that the parts of the section share.
#[derive(Clone)]
struct Prompts {
    page: Page,
    set: ReadSignal<Preferences>,
    name: Signal<Name>,
    language: Signal<Language>,
    text: Signal<String>,
    feedback: Signal<Feedback>,
    /// The typed texts that were not applied yet, by prompt and language.
    drafts: Signal<BTreeMap<String, String>>,
}

/// Builds the section *Prompts*.
pub(crate) fn prompts() -> Tag {
    let page = Page::from_context();
    let prompts = Prompts {
        set: page.preferences(),
        page,
        name: create_signal(Name::ReactSystem),
        language: create_signal(Language::of_tag(&msg("language_tag"))),
        text: create_signal(String::new()),
        feedback: create_signal(Feedback::None),
        drafts: create_signal(BTreeMap::new()),
    };
    let kept = prompts.stored_text();
    create_effect({
        let prompts = prompts.clone();
        move || {
            // The user chose another prompt, or the stored text of this prompt changed.
            let kept = kept.get_clone();
            let key = prompts.key();
            let draft = prompts.drafts.with_untracked(|it| it.get(&key).cloned());
            prompts.text.set(draft.unwrap_or(kept));
        }
    });
    let parts = (
        selects(&prompts),
        field(&prompts),
        placeholders(&prompts),
        changes(&prompts),
        buttons(&prompts),
    );
    let reset_all = reset_all(&prompts);
    let form = tag("form.stack.gap-4", parts).flag("novalidate", true);
    let form = form.on_submit(move || prompts.put(Some(prompts.text.get_clone_untracked())));
    let lead = tag("p", msg("options_prompts_lead"));
    section("prompts", msg("options_prompts"), (lead, form, reset_all))
}

impl Prompts {
    /// Returns the key of the shown prompt: its name and its language.
    fn key(&self) -> String {
        let (name, language) = (self.name.get_untracked(), self.language.get_untracked());
        format!("{}.{}", name.id(), language.id())
    }

    /// Returns the stored text of the shown prompt as a signal: the user's own text, or the
    /// default.
    fn stored_text(&self) -> ReadSignal<String> {
        let (set, name, language) = (self.set, self.name, self.language);
        create_memo(move || set.with(|set| in_force(set, name.get(), language.get())))
    }

    /// Returns a signal that is true if the user's own text is used instead of the default.
    fn is_changed(&self) -> ReadSignal<bool> {
        let (set, name, language) = (self.set, self.name, self.language);
        create_selector(move || {
            let (name, language) = (name.get(), language.get());
            set.with(|set| set.prompts.get(name, language).is_some())
        })
    }

    /// Stores the typed text as a draft.
    fn type_in(&self, typed: String) {
        let key = self.key();
        self.drafts.update(|drafts| {
            drafts.insert(key, typed.clone());
        });
        if self.feedback.with_untracked(|it| *it != Feedback::None) {
            self.feedback.set(Feedback::None);
        }
        self.text.set(typed);
    }

    fn put(&self, text: Option<String>) {
        let (name, language) = (self.name.get_untracked(), self.language.get_untracked());
        let (this, key) = (self.clone(), self.key());
        let change = Change::Prompt(name, language, text.clone());
        self.page.ask_for(
            OptionsRequest::Change { change },
            self.feedback,
            move || {
                // Text that was typed after *Apply* is still a draft.
                let typed = this.drafts.with_untracked(|it| it.get(&key).cloned());
                if text.is_none() || typed == text {
                    this.drop_draft(&key);
                }
            },
        );
    }

    fn drop_draft(&self, key: &str) {
        self.drafts.update(|drafts| {
            drafts.remove(key);
        });
        if self.key() == key {
            let (name, language) = (self.name.get_untracked(), self.language.get_untracked());
            self.text
                .set(self.set.with_untracked(|set| in_force(set, name, language)));
        }
    }
}

fn in_force(set: &Preferences, name: Name, language: Language) -> String {
    let own = set.prompts.get(name, language).map(str::to_owned);
    own.unwrap_or_else(|| default_body(name, language))
}

/// Returns the message key for the name of a prompt.
fn label(name: Name) -> &'static str {
    match name {
        Name::ReactSystem => "msg:prompt_react_system",
        Name::Reason => "msg:prompt_reason",
        Name::Observe => "msg:prompt_observe",
        Name::Synthesis => "msg:prompt_synthesis",
        Name::Reflection => "msg:prompt_reflection",
        Name::ResultGrading => "msg:prompt_result_grading",
        Name::QueryRewrite => "msg:prompt_query_rewrite",
        Name::Compaction => "msg:prompt_compaction",
        Name::Clarification => "msg:prompt_clarification",
    }
}

fn selects(prompts: &Prompts) -> Tag {
    let (set, name, language) = (prompts.set, prompts.name, prompts.language);
    let result = prompts.feedback;
    let changed = create_selector(move || {
        let language = language.get();
        set.with(|set| Name::ALL.map(|name| set.prompts.get(name, language).is_some()))
    });
    let templates = live(move || {
        let options = Name::ALL.into_iter().zip(changed.get()).map(|(one, own)| {
            let words = msg_of(label(one));
            let changed = own.then(|| msg_with("options_prompt_named_changed", &[&words]));
            option(one.id(), changed.unwrap_or(words), move || {
                name.get() == one
            })
        });
        options.collect::<Vec<_>>()
    });
    let languages = Language::OF_PROMPTS.into_iter().map(|one| {
        let words = msg(one.pick("options_english", "options_chinese"));
        option(one.id(), words, move || language.get() == one).attr("lang", one.id())
    });
    let templates = select(templates, move |id| {
        if let Some(chosen) = Name::ALL.into_iter().find(|name| name.id() == id) {
            result.set(Feedback::None);
            name.set(chosen);
        }
    });
    let templates = templates
        .id("template")
        .class("fit")
        .name(msg("options_template"));
    let languages = select(languages.collect::<Vec<_>>(), move |id| {
        if let Some(chosen) = Language::OF_PROMPTS.into_iter().find(|it| it.id() == id) {
            result.set(Feedback::None);
            language.set(chosen);
        }
    });
    let languages = languages.id("prompt-language").class("fit");
    let languages = languages.name(msg("options_prompt_language"));
    let is_changed = prompts.is_changed();
    let changed = live_if(is_changed, move || {
        tag_label("ok", msg("options_prompt_changed"))
    });
    let unused = live_if(
        move || !name.get().is_asked(),
        move || tag_label("", msg("options_prompt_unused")),
    );
    tag("div.row.wrap", (templates, languages, changed, unused))
}

fn field(prompts: &Prompts) -> Tag {
    let (text, language, typed) = (prompts.text, prompts.language, prompts.clone());
    let refused = refusal_at(prompts.feedback, FieldName::Prompt);
    let area = tag("textarea.mono.tall", ())
        .id("prompt")
        .attr("rows", "8")
        .attr("spellcheck", "false")
        .attr("lang", move || language.get().id())
        .name(msg("options_template_text"))
        .attr("aria-describedby", "prompt-wrong prompt-cost prompt-d")
        .attr("aria-invalid", move || {
            refused.with(Option::is_some).then_some("true")
        })
        .value(move || text.get_clone())
        .on("input", move |event: web_sys::Event| {
            typed.type_in(value(&event));
        });
    let refusal = live(move || refused.get_clone().map(error_text));
    let refusal = tag("p.meta", refusal).id("prompt-wrong").role("status");
    // The tokens that the prompt adds to every request; shown if they exceed the budget for
    // prompts.
    let cost = create_selector(move || text.with(|text| beyond_budget(text)));
    let cost = live(move || {
        cost.get().map(|tokens| {
            let (tokens, most) = (grouped(tokens.into()), grouped(SYSTEM_TOKENS.into()));
            View::from(msg_with("options_prompt_long", &[&tokens, &most]))
        })
    });
    tag(
        "div",
        (area, refusal, tag("p.meta.num", cost).id("prompt-cost")),
    )
}

/// The placeholders of the prompt, and the first error in its text.
fn placeholders(prompts: &Prompts) -> View {
    let (name, language, text) = (prompts.name, prompts.language, prompts.text);
    let refused = refusal_at(prompts.feedback, FieldName::Prompt);
    let (kept, is_changed) = (prompts.stored_text(), prompts.is_changed());
    let problem = create_selector(move || {
        let (name, language) = (name.get(), language.get());
        text.with(|text| check(name, language, text).err())
    });
    let state = live(move || {
        let Some(problem) = problem.get_clone() else {
            return msg("options_prompt_whole").into();
        };
        if refused.with(Option::is_some) {
            // The field already shows the worker's reason.
            return View::new();
        }
        let words = phrase_text(&problem.words());
        if is_changed.get() && text.with(|text| kept.with(|kept| text == kept)) {
            return error_text(msg_with("options_prompt_not_in_force", &[&words]));
        }
        words.into()
    });
    let list = live(move || {
        let default = Template::parse(name.get().text(language.get()));
        let declared = default.map(|it| it.placeholders).unwrap_or_default();
        let declared = declared.into_iter().enumerate().map(|(at, one)| {
            let kind = match one.kind {
                Kind::String => msg("options_takes_text"),
                Kind::Array => msg("options_takes_list"),
                Kind::Object => msg("options_takes_facts"),
            };
            let required = one
                .required
                .then(|| msg_with("options_prompt_required", &[&kind]));
            let between = if at == 0 { " " } else { " · " };
            let braced = tag("code", format!("{{{{{}}}}}", one.name));
            fragment((between, braced, " ", required.unwrap_or(kind)))
        });
        declared.collect::<Vec<_>>()
    });
    let head = tag("p", (msg("options_placeholders"), list));
    tag("div.meta", (head, tag("p", state)))
        .id("prompt-d")
        .into()
}

/// The lines in which the prompt differs from the default.
fn changes(prompts: &Prompts) -> View {
    let (name, language, text) = (prompts.name, prompts.language, prompts.text);
    let default = create_selector(move || default_body(name.get(), language.get()));
    live(move || {
        let (default, text) = (default.get_clone(), text.get_clone());
        (default.trim() != text.trim()).then(|| {
            let lines = difference(&default, &text).into_iter().map(line);
            let words = msg("options_prompt_difference");
            let lines = tag("pre.diff", lines.collect::<Vec<_>>()).attr("tabindex", "0");
            let lines = lines.role("group").name(words.clone());
            View::from(tag("div", (tag("p.label", words), lines)))
        })
    })
}

fn line(line: Line<'_>) -> Tag {
    let (name, words) = match line {
        Line::Same(words) => ("span", words),
        Line::Gone(words) => ("del", words),
        Line::New(words) => ("ins", words),
    };
    // A line without a character has no height.
    let words = if words.is_empty() { "\u{a0}" } else { words };
    tag(name, words.to_owned())
}

fn buttons(prompts: &Prompts) -> Tag {
    let (name, language, text) = (prompts.name, prompts.language, prompts.text);
    let is_changed = prompts.is_changed();
    let nothing = create_selector(move || {
        let (name, language) = (name.get(), language.get());
        !is_changed.get() && text.with(|text| is_default(name, language, text))
    });
    let this = prompts.clone();
    let apply = submit("primary", msg("options_prompt_apply"));
    let reset = button("", msg("options_prompt_reset"), move || this.put(None));
    let reset = reset.disabled(move || nothing.get());
    tag(
        "div.row.wrap",
        (apply, reset, feedback_line(prompts.feedback)),
    )
}

/// The button that resets all prompts. It is shown if a prompt differs from its default.
fn reset_all(prompts: &Prompts) -> View {
    let (set, prompts) = (prompts.set, prompts.clone());
    let any = create_selector(move || set.with(|set| !set.prompts.is_empty()));
    let asking = create_signal(false);
    let reset = Rc::new(move || {
        let this = prompts.clone();
        let ask = OptionsRequest::Change {
            change: Change::ResetPrompts,
        };
        prompts.page.ask_for(ask, prompts.feedback, move || {
            asking.set(false);
            this.drafts.set(BTreeMap::new());
            this.text.set(default_body(
                this.name.get_untracked(),
                this.language.get_untracked(),
            ));
            // The pressed button is removed, so the list of prompts gets the focus.
            focus_id("template");
        });
    });
    live_if(any, move || {
        let word = msg("options_prompts_reset");
        let steps = confirm(Confirm {
            ids: ["prompts-reset", "prompts-keep"],
            asking,
            words: [word.clone(), msg("options_prompts_reset_asks"), word],
            confirmed: reset.clone(),
        });
        View::from(tag("div.row.wrap.gap-3", steps))
    })
}
