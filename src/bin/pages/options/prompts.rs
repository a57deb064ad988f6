//! The prompts: each can be read, put in other words, and reset.
//!
//! Driving example: a line is added to *Synthesis*; the difference from the default
//! stands beneath, and *Apply* keeps it. What may not stand is told at the field, with
//! its line; what was typed of one prompt stays while another is looked at.

use super::browser::value;
use super::page::Page;
use super::prompt_cost::cost;
use super::prompt_difference::difference;
use super::prompt_reset::reset_all;
use super::told::{Told, told};
use crate::icon::icon;
use crate::live::{handler, live};
use crate::words::{msg, msg_of, msg_with, said};
use gloss::app::options::{Ask, Change, Outcome};
use gloss::app::preferences::{FieldName, Preferences};
use gloss::model::Language;
use gloss::prompts::{Kind, Name, Template, check, default_body, is_default};
use std::collections::BTreeMap;
use sycamore::prelude::*;

/// What the parts of the section share.
#[derive(Clone)]
pub(super) struct Prompts {
    pub(super) page: Page,
    pub(super) set: ReadSignal<Preferences>,
    name: Signal<Name>,
    language: Signal<Language>,
    text: Signal<String>,
    pub(super) told: Signal<Told>,
    /// What was typed of other prompts and not applied.
    drafts: Signal<BTreeMap<String, String>>,
}

/// The section.
pub(crate) fn prompts() -> View {
    let page = Page::here();
    let prompts = Prompts {
        set: page.preferences(),
        page,
        name: create_signal(Name::ReactSystem),
        language: create_signal(Language::of_tag(&msg("language_tag"))),
        text: create_signal(String::new()),
        told: create_signal(Told::Nothing),
        drafts: create_signal(BTreeMap::new()),
    };
    let kept = prompts.kept();
    create_effect({
        let prompts = prompts.clone();
        move || {
            // Another prompt, or another text of this one.
            let kept = kept.get_clone();
            let key = prompts.key();
            let draft = prompts.drafts.with_untracked(|it| it.get(&key).cloned());
            prompts.text.set(draft.unwrap_or(kept));
        }
    });
    let [title, lead] = [msg("options_prompts"), msg("options_prompts_lead")];
    let (selects, field) = (selects(&prompts), field(&prompts));
    let (placeholders, difference) = (
        placeholders(&prompts),
        difference(prompts.default(), prompts.text),
    );
    let (buttons, reset_all) = (buttons(&prompts), reset_all(&prompts));
    let applied = prompts;
    view! {
        section(class="sect", id="prompts", aria-labelledby="prompts-h") {
            h2(id="prompts-h") { (title) }
            p { (lead) }
            form(novalidate=true, class="stack", style="margin-top:1rem", on:submit=handler(move |event: web_sys::SubmitEvent| {
                event.prevent_default();
                applied.apply();
            })) {
                (selects)
                (field)
                (placeholders)
                (difference)
                (buttons)
            }
            (reset_all)
        }
    }
}

impl Prompts {
    /// Which prompt is looked at.
    fn key(&self) -> String {
        let (name, language) = (self.name.get_untracked(), self.language.get_untracked());
        format!("{}.{}", name.id(), language.id())
    }

    /// What stands in the place of a prompt: a text of the person's own, or the default.
    fn kept(&self) -> ReadSignal<String> {
        let (set, name, language) = (self.set, self.name, self.language);
        create_memo(move || {
            let (name, language) = (name.get(), language.get());
            let own = set.with(|set| set.prompts.get(name, language).map(str::to_owned));
            own.unwrap_or_else(|| default_body(name, language))
        })
    }

    fn default(&self) -> ReadSignal<String> {
        let (name, language) = (self.name, self.language);
        create_selector(move || default_body(name.get(), language.get()))
    }

    /// Whether a text of the person's own stands in its place.
    fn is_changed(&self) -> ReadSignal<bool> {
        let (set, name, language) = (self.set, self.name, self.language);
        create_selector(move || {
            let (name, language) = (name.get(), language.get());
            set.with(|set| set.prompts.get(name, language).is_some())
        })
    }

    /// What was typed, in a draft of its own, unless it is what is kept.
    fn type_in(&self, typed: String) {
        let key = self.key();
        self.drafts.update(|drafts| {
            drafts.insert(key, typed.clone());
        });
        if self.told.with_untracked(|told| *told != Told::Nothing) {
            self.told.set(Told::Nothing);
        }
        self.text.set(typed);
    }

    /// Another prompt is looked at.
    fn turn(&self, to: impl FnOnce(&Self)) {
        self.told.set(Told::Nothing);
        to(self);
    }

    fn apply(&self) {
        self.put(Some(self.text.get_clone_untracked()));
    }

    fn put(&self, text: Option<String>) {
        let (name, language) = (self.name.get_untracked(), self.language.get_untracked());
        let this = self.clone();
        let key = self.key();
        let change = Change::Prompt(name, language, text.clone());
        self.page.ask(Ask::Change { change }, move |outcome| {
            if outcome == Outcome::Saved {
                this.forget(&key, text.as_deref());
            }
            this.told.set(Told::of(outcome));
        });
    }

    /// What was applied or reset is no draft any more; what was typed since is.
    fn forget(&self, key: &str, applied: Option<&str>) {
        let typed = self.drafts.with_untracked(|it| it.get(key).cloned());
        if applied.is_some() && typed.as_deref() != applied {
            return;
        }
        self.drafts.update(|drafts| {
            drafts.remove(key);
        });
        if self.key() == key {
            let (name, language) = (self.name.get_untracked(), self.language.get_untracked());
            let own = self.set.with_untracked(|set| {
                let own = set.prompts.get(name, language);
                own.map(str::to_owned)
            });
            self.text
                .set(own.unwrap_or_else(|| default_body(name, language)));
        }
    }

    /// Every text of the person's own is gone.
    pub(super) fn forget_all(&self) {
        self.drafts.set(BTreeMap::new());
        let (name, language) = (self.name.get_untracked(), self.language.get_untracked());
        self.text.set(default_body(name, language));
    }
}

/// The key of a template's name.
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

fn selects(prompts: &Prompts) -> View {
    let (set, name, language) = (prompts.set, prompts.name, prompts.language);
    let changed = create_selector(move || {
        let language = language.get();
        set.with(|set| Name::ALL.map(|name| set.prompts.get(name, language).is_some()))
    });
    let templates = live(move || {
        let options = Name::ALL.into_iter().zip(changed.get()).map(|(one, own)| {
            let words = msg_of(label(one));
            let words = if own {
                msg_with("options_prompt_named_changed", &[&words])
            } else {
                words
            };
            let is_set = move || name.get() == one;
            view! { option(value=one.id(), prop:selected=is_set) { (words) } }
        });
        options.collect::<Vec<View>>()
    });
    let languages: Vec<View> = Language::OF_PROMPTS
        .into_iter()
        .map(|one| {
            let words = msg(one.pick("options_english", "options_chinese"));
            let is_set = move || language.get() == one;
            view! { option(value=one.id(), lang=one.id(), prop:selected=is_set) { (words) } }
        })
        .collect();
    let is_changed = prompts.is_changed();
    let tag = live(move || {
        is_changed.get().then(|| {
            let words = msg("options_prompt_changed");
            view! { span(class="tag ok") { (words) } }
        })
    });
    let unused = live(move || {
        (!name.get().is_asked()).then(|| {
            let words = msg("options_prompt_unused");
            view! { span(class="tag") { (words) } }
        })
    });
    let [template, in_language] = [msg("options_template"), msg("options_prompt_language")];
    let (turned, spoken) = (prompts.clone(), prompts.clone());
    view! {
        div(class="row wrap") {
            select(
                id="template",
                aria-label=template,
                style="width:auto",
                on:change=handler(move |event: web_sys::Event| {
                    let id = value(&event);
                    let chosen = Name::ALL.into_iter().find(|name| name.id() == id);
                    if let Some(chosen) = chosen {
                        turned.turn(|it| it.name.set(chosen));
                    }
                }),
            ) { (templates) }
            select(
                id="prompt-language",
                aria-label=in_language,
                style="width:auto",
                on:change=handler(move |event: web_sys::Event| {
                    let id = value(&event);
                    let chosen = Language::OF_PROMPTS.into_iter().find(|it| it.id() == id);
                    if let Some(chosen) = chosen {
                        spoken.turn(|it| it.language.set(chosen));
                    }
                }),
            ) { (languages) }
            (tag)
            (unused)
        }
    }
}

fn field(prompts: &Prompts) -> View {
    let (told, text) = (prompts.told, prompts.text);
    let is_wrong = create_selector(move || told.with(|told| told.at(FieldName::Prompt).is_some()));
    let name = msg("options_template_text");
    let (typed, language, cost) = (prompts.clone(), prompts.language, cost(text));
    let refused = live(move || {
        told.with(|told| told.at(FieldName::Prompt)).map(|words| {
            let sign = icon("alert");
            view! { span(class="danger-text") { (sign) (words) } }
        })
    });
    view! {
        div {
            textarea(
                id="prompt",
                class="mono",
                rows="8",
                style="max-height:24rem",
                "spellcheck"="false",
                lang=move || language.get().id(),
                aria-label=name,
                aria-describedby="prompt-wrong prompt-cost prompt-d",
                aria-invalid=move || is_wrong.get().then_some("true"),
                prop:value=move || text.get_clone(),
                on:input=handler(move |event: web_sys::Event| typed.type_in(value(&event))),
            ) {}
            p(class="meta", id="prompt-wrong", role="status") { (refused) }
            p(class="meta num", id="prompt-cost") { (cost) }
        }
    }
}

/// What can be put into the prompt, and what is still wrong with it.
fn placeholders(prompts: &Prompts) -> View {
    let (name, language, text) = (prompts.name, prompts.language, prompts.text);
    let told = prompts.told;
    let kept = prompts.kept();
    let is_changed = prompts.is_changed();
    let problem = create_selector(move || {
        let (name, language) = (name.get(), language.get());
        text.with(|text| check(name, language, text).err())
    });
    let state = live(move || {
        let Some(problem) = problem.get_clone() else {
            let words = msg("options_prompt_whole");
            return view! { (words) };
        };
        if told.with(|told| told.at(FieldName::Prompt).is_some()) {
            // It stands at the field.
            return View::new();
        }
        let words = said(&problem.words());
        if is_changed.get() && text.with(|text| kept.with(|kept| text == kept)) {
            let words = msg_with("options_prompt_not_in_force", &[&words]);
            let sign = icon("alert");
            return view! { span(class="danger-text") { (sign) (words) } };
        }
        view! { (words) }
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
            let words = if one.required {
                msg_with("options_prompt_required", &[&kind])
            } else {
                kind
            };
            let (between, braced) = (
                if at == 0 { " " } else { " · " },
                format!("{{{{{}}}}}", one.name),
            );
            view! { (between) code { (braced) } " " (words) }
        });
        declared.collect::<Vec<View>>()
    });
    let head = msg("options_placeholders");
    view! {
        div(class="meta", id="prompt-d") {
            p { (head) (list) }
            p { (state) }
        }
    }
}

fn buttons(prompts: &Prompts) -> View {
    let [apply, reset] = [msg("options_prompt_apply"), msg("options_prompt_reset")];
    let (name, language, text) = (prompts.name, prompts.language, prompts.text);
    let is_changed = prompts.is_changed();
    let nothing = create_selector(move || {
        let (name, language) = (name.get(), language.get());
        !is_changed.get() && text.with(|text| is_default(name, language, text))
    });
    let (this, told) = (prompts.clone(), told(prompts.told));
    view! {
        div(class="row wrap") {
            button(class="btn primary") { (apply) }
            button(
                r#type="button",
                class="btn",
                disabled=move || nothing.get(),
                on:click=handler(move |_| this.put(None)),
            ) { (reset) }
            (told)
        }
    }
}
