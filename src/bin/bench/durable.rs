//! Measures the cost of durability, with a run of many steps on the browser's own storage.
//!
//! Example: a worker that contains only this bench (`tests/e2e/lib/durable.mjs`) calls
//! [`live`] for 500 steps. The worker then calls [`live`] again with the same name. In this second
//! call every step is already recorded, so only the replay is measured.
#![expect(unreachable_pub, reason = "wasm-bindgen exports public functions only")]

use futures::FutureExt;
use gloss::agent::Timeline;
use gloss::durable::{
    Class, Clock, Ctx, Entry, Fut, Halt, Journal, JournalEvent, Listener, Path, RunId, Sink, drive,
    read_batches,
};
use gloss::host::Host;
use gloss::model::{
    AnswerOrigin, Ask, AskLabel, ContextWindow, Language, Message, Model, ModelError, Purpose,
    Reply, Request, Role, ToolCall, ToolDefinition, Tools, Transcript, UsageLedger,
};
use gloss::phrase::phrase;
use gloss::tools::{
    Approval, ConsentState, Destination, Output, RoleModels, RunTool, ToolContext, ToolDyn,
    ToolError, ToolProperties, Toolbox,
};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now_ms() -> f64;
}

/// Drives the run `name` as one worker would: `steps` times reason, act and observe. Each of the
/// two model calls in a step takes `model_ms`.
///
/// Returns pairs of a time and a number of bytes. The first pair is the end of loading, and 0. Each
/// further pair is the end of a step, and the bytes that this call had written by then.
///
/// # Errors
/// Returns the message of the error that stopped the run.
#[wasm_bindgen]
pub async fn live(name: String, steps: u32, model_ms: u32) -> Result<Vec<f64>, String> {
    let host = gloss::host_browser::host();
    let run = RunId(name);
    let journal = open(&run, &host).await?;
    let marks = RefCell::new(vec![now_ms(), 0.0]);
    let work = Work::new(&host, u64::from(model_ms));
    let ctx = Ctx::new(journal.clone());
    let lived = drive(&journal, work.steps(&ctx, &journal, steps, &marks)).await;
    lived.map_err(|halt| halt.to_string())?;
    Ok(marks.into_inner())
}

/// Erases the records that [`live`] wrote.
///
/// # Errors
/// Returns an error if the storage can't be erased.
#[wasm_bindgen]
pub async fn erase(name: String) -> Result<(), String> {
    let erased = gloss::host_browser::host().store.erase(&RunId(name)).await;
    erased.map_err(|error| error.to_string())
}

async fn open(run: &RunId, host: &Host) -> Result<Rc<Journal>, String> {
    let stored = host.store.load_all().await;
    let mut runs = read_batches(stored.map_err(|error| error.to_string())?);
    let reader = Rc::new(Reader::default());
    let Some(found) = runs.remove(run) else {
        return Ok(Journal::begin(
            run.clone(),
            &"bench",
            "1",
            &host.ports(),
            reader,
        ));
    };
    let (batches, records) = found.map_err(|error| error.to_string())?;
    for record in &records {
        reader.0.borrow_mut().read(record);
    }
    let journal = Journal::recovered(run.clone(), batches, records, &host.ports(), reader);
    journal.mark(&Path::root(), Entry::Resumed);
    Ok(journal)
}

/// Folds the records into a timeline, as the worker does for its surfaces.
#[derive(Default)]
struct Reader(RefCell<Timeline>);

impl Listener for Reader {
    fn on_event(&self, _: &RunId, told: &JournalEvent) {
        if let JournalEvent::Record(record) = told {
            self.0.borrow_mut().read(record);
        }
    }
}

struct Work {
    model: Rc<dyn Model>,
    toolbox: Rc<Toolbox>,
    clock: Rc<dyn Clock>,
    ledger: Rc<UsageLedger>,
}

impl Work {
    fn new(host: &Host, model_ms: u64) -> Self {
        let tools: [Rc<dyn ToolDyn>; 1] = [Rc::new(Look)];
        let clock = host.clock.clone();
        Self {
            model: Rc::new(Scripted {
                clock: clock.clone(),
                ms: model_ms,
            }),
            toolbox: Rc::new(Toolbox::new(Rc::new(tools), None, ContextWindow::of(None))),
            clock,
            ledger: UsageLedger::new(host),
        }
    }

    async fn steps(
        &self,
        ctx: &Ctx,
        journal: &Journal,
        steps: u32,
        marks: &RefCell<Vec<f64>>,
    ) -> Result<(), Halt> {
        let mut transcript = Transcript::default();
        transcript.push(Message::text(Role::User, "Why is there a tide?"));
        for number in 1..=steps {
            let step = ctx.at(number);
            let thought = step.step("reason", self.ask(&transcript)).await?;
            say(&mut transcript, thought);
            let call = ToolCall {
                id: number.to_string(),
                name: "look".to_owned(),
                arguments: json!({ "query": "tide", "number": number }),
                reasoning: None,
                after: None,
            };
            let tool = RunTool {
                toolbox: self.toolbox.clone(),
                call,
                key: step.key(),
                refused: None,
                so_far: None,
                aid: RoleModels::default(),
                approval: Approval::NotAsked,
                rights: ConsentState::Answered,
                step: number as u8,
                clock: self.clock.clone(),
            };
            let seen = step.step("act", tool).await?;
            let seen = seen.result.map(|output| output.data.to_string());
            transcript.push(Message::text(Role::Tool, seen.unwrap_or_default()));
            let observed = step.step("observe", self.ask(&transcript)).await?;
            say(&mut transcript, observed);
            step.file();
            let written = journal.written_bytes() as f64;
            marks.borrow_mut().extend([now_ms(), written]);
        }
        ctx.durable().await
    }

    fn ask(&self, transcript: &Transcript) -> Ask {
        Ask {
            model: self.model.clone(),
            request: Request {
                purpose: Purpose::Reason,
                transcript: transcript.clone(),
                tools: Tools::None,
                temperature: 0.7,
                page: None,
                schema: None,
                task: String::new(),
                state: String::new(),
                language: Language::English,
            },
            label: AskLabel {
                purpose: Purpose::Reason,
                reflects: false,
                step: 1,
                max_steps: 5,
                prompt_tokens: 0,
                reply_tokens: 0,
                cost: None,
                prompt_cost: None,
            },
            ledger: self.ledger.clone(),
            price: None,
        }
    }
}

fn say(transcript: &mut Transcript, reply: Result<Reply, ModelError>) {
    let text = reply.map(|reply| reply.text).unwrap_or_default();
    transcript.push(Message::text(Role::Assistant, text));
}

/// A model that always returns the same reply.
struct Scripted {
    clock: Rc<dyn Clock>,
    ms: u64,
}

impl Model for Scripted {
    fn reply(&self, _: Request, _: Sink) -> Fut<Result<Reply, ModelError>> {
        let text = "The Moon pulls on the sea, and the sea answers late. ".repeat(12);
        let thinks = (self.ms > 0).then(|| self.clock.sleep(self.ms));
        async move {
            if let Some(thinks) = thinks {
                thinks.await;
            }
            Ok(Reply {
                text,
                ..Reply::default()
            })
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

/// A tool that always returns the same result.
struct Look;

impl ToolDyn for Look {
    fn destination(&self) -> Destination {
        Destination::Device
    }

    fn properties(&self) -> ToolProperties {
        ToolProperties::new("look", Class::Safe)
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "look".to_owned(),
            description: String::new(),
            parameters: json!({ "type": "object" }),
            examples: Vec::new(),
        }
    }

    fn run(&self, _: &Value, _: ToolContext) -> Fut<Result<Output, ToolError>> {
        async {
            Ok(Output {
                data: json!({ "found": "Springs come when the Sun and the Moon pull together. ".repeat(20) }),
                summary: phrase("summary_nothing_found"),
                share_percent: None,
                picture: None,
                provenance: gloss::model::provenance::Provenance::of(gloss::model::provenance::Origin::Tool("toy".into())),
            })
        }
        .boxed_local()
    }
}
