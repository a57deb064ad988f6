//! The world outside the workers. It counts the effects on the world over all lives.

use crate::images::painted;
use crate::stage::run_id;
use futures::FutureExt;
use gloss::agent::Services;
use gloss::durable::{Class, Clock, Ctx, Effect, Fut, Halt, Key, Path, Sink};
use gloss::host::{BackgroundTab, Capture, CaptureError, Shot, ShotError, SiteAccess, TabId, Tabs};
use gloss::host_sim::Sim;
use gloss::model::{
    AnswerOrigin, Ask, AskLabel, GeneratedImage, ImageModel, Model, ModelChoice, ModelError,
    Models, Reply, Request, ToolCall, ToolDefinition, UsageLedger,
};
use gloss::page_service::PageService;
use gloss::phrase::phrase;
use gloss::tools::{
    Consent, Destination, Output, RoleModels, RunContext, TIMEOUT_MS, ToolContext, ToolDyn,
    ToolError, ToolOutcome, ToolProperties,
};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Everything outside the workers.
pub(crate) struct Outside {
    pub(crate) sim: Sim,
    /// The index of the world, if the scenario has several.
    pub(crate) variant: u32,
    /// The number of the current life, from 0.
    pub(super) life: Cell<u32>,
    /// The effects that began, each with the number of its life.
    pub(super) begun: RefCell<Vec<(u32, String)>>,
    /// The acts of tools: for each description, the classes and keys in the order of arrival.
    pub(super) acts: RefCell<BTreeMap<String, Vec<(Class, Key)>>>,
    tries: RefCell<BTreeMap<String, u32>>,
    /// The number of web requests that [`Self::fetched`] has already counted.
    seen: Cell<usize>,
}

impl Outside {
    pub(crate) fn new(sim: &Sim, variant: u32) -> Rc<Self> {
        Rc::new(Self {
            sim: sim.clone(),
            variant,
            life: Cell::default(),
            begun: RefCell::default(),
            acts: RefCell::default(),
            tries: RefCell::default(),
            seen: Cell::default(),
        })
    }

    /// Counts a call with the name `what`, and returns the number of earlier calls in all lives.
    pub(crate) fn count(&self, what: &str) -> u32 {
        let mut tries = self.tries.borrow_mut();
        let count = tries.entry(what.to_owned()).or_default();
        *count += 1;
        *count - 1
    }

    fn begin(&self, what: String) {
        self.begun.borrow_mut().push((self.life.get(), what));
    }

    /// Counts the web requests of the life that has just ended as effects of that life.
    pub(super) fn fetched(&self) {
        let requests = self.sim.requests();
        for request in requests.iter().skip(self.seen.replace(requests.len())) {
            self.begin(format!("read {}", request.url));
        }
    }

    /// Receives an act, as the provider of a service. An act with a repeated key has no further
    /// effect.
    fn receive(&self, what: &str, class: Class, key: &Key) -> usize {
        let mut acts = self.acts.borrow_mut();
        let acts = acts.entry(what.to_owned()).or_default();
        acts.push((class, key.clone()));
        distinct(acts)
    }

    /// The number of acts with this description that arrived.
    pub(crate) fn count_of(&self, what: &str) -> usize {
        self.acts.borrow().get(what).map_or(0, Vec::len)
    }

    /// The number of acts that arrived again although they must not be repeated.
    pub(super) fn duplicated(&self) -> usize {
        let acts = self.acts.borrow();
        acts.values()
            .map(|acts| distinct(acts).saturating_sub(1))
            .sum()
    }

    /// The services of a worker. Each of them counts its calls.
    pub(super) fn services(
        self: &Rc<Self>,
        model: Rc<dyn Model>,
        tools: impl IntoIterator<Item = Rc<dyn ToolDyn>>,
        page_service: PageService,
    ) -> Services {
        let host = self.sim.host();
        let counted = |inner| -> Rc<dyn ToolDyn> {
            Rc::new(CountedTool {
                inner,
                outside: self.clone(),
            })
        };
        let models = Rc::new(CountedModels {
            model: Rc::new(CountedModel {
                inner: model,
                outside: self.clone(),
            }),
            outside: self.clone(),
        });
        Services {
            tabs: Rc::new(CountedTabs {
                inner: host.tabs.clone(),
                outside: self.clone(),
            }),
            tools: tools.into_iter().map(counted).collect(),
            ..Services::new(&host, models, page_service)
        }
    }
}

/// The number of changes of the world. Acts with the same idempotency key are one change, and
/// reading is none.
fn distinct(acts: &[(Class, Key)]) -> usize {
    let of = |class| acts.iter().filter(move |(of, _)| *of == class);
    let keys: BTreeSet<&Key> = of(Class::Keyed).map(|(_, key)| key).collect();
    keys.len() + of(Class::External).count()
}

/// An image that is small enough to be stored in its record. Comparisons ignore the times in
/// records.
fn small() -> GeneratedImage {
    let painted = painted();
    let mut image = painted.image;
    image.base64.truncate(100);
    GeneratedImage { image, ..painted }
}

/// A tool that changes the world. Its arguments are, for example, `{"what": "letter"}`.
pub(crate) struct Act {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    pub(crate) outside: Rc<Outside>,
    /// Returns true if this call acts and then hangs for longer than the tool's time limit.
    pub(crate) hangs: fn(&Outside, &Key) -> bool,
}

impl Act {
    /// Creates a tool that acts, reports the act, and never hangs.
    pub(crate) fn tool(name: &'static str, class: Class, outside: &Rc<Outside>) -> Rc<dyn ToolDyn> {
        Rc::new(Self {
            name,
            class,
            outside: outside.clone(),
            hangs: |_, _| false,
        })
    }
}

impl ToolDyn for Act {
    fn destination(&self) -> Destination {
        Destination::Device
    }

    fn properties(&self) -> ToolProperties {
        ToolProperties::new(self.name, self.class)
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: self.name.to_owned(),
            description: String::new(),
            parameters: json!({ "type": "object" }),
            examples: Vec::new(),
        }
    }

    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let (outside, class, key) = (self.outside.clone(), self.class, context.key);
        let what = arguments["what"].as_str().expect("what to do").to_owned();
        let hangs = self.hangs;
        async move {
            let clock: Rc<dyn Clock> = outside.sim.host().clock;
            let there = outside.clone();
            let act = move || {
                there.receive(&what, class, &key);
                hangs(&there, &key)
            };
            if outside.sim.send(act).await {
                clock.sleep(2 * TIMEOUT_MS).await;
            }
            Ok(Output {
                data: json!({ "done": true }),
                summary: phrase("summary_nothing_found"),
                share_percent: None,
                picture: None,
                provenance: gloss::model::provenance::Provenance::of(
                    gloss::model::provenance::Origin::Tool("toy".into()),
                ),
            })
        }
        .boxed_local()
    }
}

struct CountedTool {
    inner: Rc<dyn ToolDyn>,
    outside: Rc<Outside>,
}

impl ToolDyn for CountedTool {
    fn destination(&self) -> Destination {
        self.inner.destination()
    }

    /// Only these matter to a run of the proof.
    fn properties(&self) -> ToolProperties {
        let inner = self.inner.properties();
        ToolProperties {
            model_role: inner.model_role,
            execution: inner.execution,
            reads_found_addresses: inner.reads_found_addresses,
            ..ToolProperties::new(inner.name, inner.class)
        }
    }

    fn definition(&self) -> ToolDefinition {
        self.inner.definition()
    }

    fn consent(&self, call: &ToolCall, run: &RunContext, aid: &RoleModels) -> Consent {
        self.inner.consent(call, run, aid)
    }

    fn approved(&self, arguments: &Value, sent: &str) -> Value {
        self.inner.approved(arguments, sent)
    }

    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        self.outside.begin(format!("tool {}", context.key));
        self.inner.run(arguments, context)
    }

    /// Running the act again in a step has no effect, because the act is the only step.
    fn run_in_steps(
        &self,
        arguments: &Value,
        context: ToolContext,
        ctx: Ctx,
    ) -> Fut<Result<ToolOutcome, Halt>> {
        self.inner.run_in_steps(arguments, context, ctx)
    }
}

struct CountedTabs {
    inner: Rc<dyn Tabs>,
    outside: Rc<Outside>,
}

impl Tabs for CountedTabs {
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>> {
        self.outside.begin("page".to_owned());
        self.inner.capture(tab)
    }

    fn address(&self, tab: TabId) -> Fut<Option<String>> {
        self.inner.address(tab)
    }

    fn shows(&self, tab: TabId, document: &str) -> Fut<bool> {
        self.inner.shows(tab, document)
    }

    fn screenshot(&self, tab: TabId, document: Option<String>) -> Fut<Result<Shot, ShotError>> {
        self.inner.screenshot(tab, document)
    }

    fn open(&self) -> Fut<Result<TabId, CaptureError>> {
        self.inner.open()
    }

    fn send(
        &self,
        beside: BackgroundTab,
        url: &str,
        reach: SiteAccess,
    ) -> Fut<Result<(), CaptureError>> {
        self.inner.send(beside, url, reach)
    }

    fn close(&self, beside: BackgroundTab) {
        self.inner.close(beside);
    }
}

struct CountedModels {
    model: Rc<dyn Model>,
    outside: Rc<Outside>,
}

impl Models for CountedModels {
    fn of(&self, _: &ModelChoice) -> Rc<dyn Model> {
        self.model.clone()
    }

    fn image_model(&self, _: &ModelChoice) -> Option<Rc<dyn ImageModel>> {
        Some(Rc::new(CountedPainter(self.outside.clone())))
    }
}

/// An image model without idempotency keys. Each request makes an image and costs money.
struct CountedPainter(Rc<Outside>);

impl ImageModel for CountedPainter {
    fn paint(&self, _: String) -> Fut<Result<GeneratedImage, ModelError>> {
        let outside = self.0.clone();
        async move {
            let there = outside.clone();
            let key = Key {
                run: run_id(),
                path: Path::root(),
            };
            let made = move || there.receive("image", Class::External, &key);
            outside.sim.send(made).await;
            // The image was made, and the reply is being sent.
            Ok(outside.sim.send(small).await)
        }
        .boxed_local()
    }
}

struct CountedModel {
    inner: Rc<dyn Model>,
    outside: Rc<Outside>,
}

impl Model for CountedModel {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let ask = Ask {
            model: self.inner.clone(),
            label: AskLabel {
                purpose: request.purpose,
                reflects: false,
                step: 0,
                max_steps: 0,
                prompt_tokens: 0,
                reply_tokens: 0,
                cost: None,
                prompt_cost: None,
            },
            ledger: UsageLedger::new(&self.outside.sim.host()),
            price: None,
            request: request.clone(),
        };
        let fingerprint = serde_json::to_value(ask.fingerprint()).expect("a fingerprint");
        self.outside.begin(format!("model {fingerprint}"));
        self.inner.reply(request, sink)
    }

    fn voice(&self) -> AnswerOrigin {
        self.inner.voice()
    }
}
