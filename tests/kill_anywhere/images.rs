//! A generated image: where its bytes are stored, which surfaces receive them, and when they are
//! deleted.

use crate::scenarios::making::{DESCRIPTION, PREFERENCES, image_call};
use crate::stage::{Life, NEVER, PANEL, ask, run_id, start, world};
use futures::FutureExt;
use gloss::agent::trajectory::Trajectory;
use gloss::agent::{MissingRight, Status, Verdict};
use gloss::app::surface::Command;
use gloss::durable::{Fut, Sink};
use gloss::host_sim::Sim;
use gloss::model::{
    AnswerOrigin, Control, GeneratedImage, Image, ImageModel, Model, ModelChoice, ModelError,
    Models, Part, Reply, Request, Usage,
};
use gloss::phrase::DisplayText;
use gloss::tools::SendKind;
use serde_json::Value;
use std::rc::Rc;

/// An image that is too large for a record, so that it is stored as a separate body.
pub(crate) fn painted() -> GeneratedImage {
    GeneratedImage {
        image: Image {
            media_type: "image/png".to_owned(),
            base64: format!("iVBORw0KGgo{}", "A".repeat(60_001)),
        },
        usage: Usage {
            input_tokens: 20,
            output_tokens: 1_056,
            ..Usage::default()
        },
    }
}

/// A model that calls the image tool and then describes the result. It is also the image model.
#[derive(Clone)]
struct Artist(Sim);

impl Model for Artist {
    fn reply(&self, request: Request, _: Sink) -> Fut<Result<Reply, ModelError>> {
        let sim = self.0.clone();
        async move {
            sim.send(|| ()).await;
            let mut parts = request
                .transcript
                .messages()
                .flat_map(|it| it.parts.clone());
            let given = parts.find_map(|part| match part {
                Part::Result { outcome, .. } => Some(outcome),
                _ => None,
            });
            Ok(Reply {
                calls: match given {
                    None => vec![image_call()],
                    Some(_) => vec![],
                },
                text: given.map_or_else(String::new, |given| format!("{given:?}")),
                control: Control {
                    thought: Some(DisplayText::Words("It is to be drawn.".to_owned())),
                    ..Control::default()
                },
                ..Reply::default()
            })
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

impl Models for Artist {
    fn of(&self, _: &ModelChoice) -> Rc<dyn Model> {
        Rc::new(self.clone())
    }

    fn image_model(&self, _: &ModelChoice) -> Option<Rc<dyn ImageModel>> {
        Some(Rc::new(self.clone()))
    }
}

impl ImageModel for Artist {
    fn paint(&self, _: String) -> Fut<Result<GeneratedImage, ModelError>> {
        self.0.send(|| Ok(painted()))
    }
}

fn life(sim: &Sim, epoch: u64) -> Life {
    Life::with(sim, epoch, Rc::new(Artist(sim.clone())))
}

/// A world in which the user has allowed an image, and the life in which it was made.
fn made() -> (Sim, Life) {
    let sim = world(3);
    sim.set_shelved("preferences", PREFERENCES);
    let first = life(&sim, 1);
    assert!(first.until(NEVER, &[start("run", ask())]));
    let wait = first.turn().wait.expect("it asks before anything is sent");
    assert!(
        matches!(&wait.need, MissingRight::Send(it) if it.kind == SendKind::Image { cost: None }),
        "{wait:?}"
    );
    let granted = Command::Permit {
        run: run_id(),
        wait: wait.id,
        verdict: Verdict::Granted,
    };
    assert!(first.live(NEVER, async { first.say(PANEL, &granted).await }));
    assert_eq!(first.turn().status, Status::Completed);
    (sim, first)
}

fn of_call(call: &str) -> Command {
    Command::Picture {
        run: run_id(),
        step: 1,
        call: call.to_owned(),
    }
}

#[test]
fn an_image_is_a_body_of_its_own_that_surfaces_ask_for_and_no_model_is_given() {
    let (sim, first) = made();
    let turn = first.turn();
    let shown: Vec<_> = turn.steps.iter().flat_map(|it| it.calls.clone()).collect();
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].picture.as_deref(), Some(DESCRIPTION));
    // The model received only a text as the tool's result.
    let answer = turn.answer.expect("an answer").markdown;
    assert!(answer.contains("made"), "{answer}");
    assert!(!answer.contains("iVBOR"));
    // The image is stored as a separate body, under its hash.
    assert_eq!(sim.blob_hashes().len(), 1);
    assert!(!format!("{:?}", sim.batches()).contains("iVBOR"));
    assert!(
        !sim.session()
            .iter()
            .any(|kept| format!("{kept:?}").contains("iVBOR"))
    );
    // A later life sends the image to a surface that requests it. It also says when a requested
    // image doesn't exist.
    let later = life(&sim, 2);
    assert!(later.until(NEVER, &[of_call("1")]));
    assert!(later.live(NEVER, async { later.say(PANEL, &of_call("2")).await }));
    let given = later.panel.borrow().pictures.clone();
    assert_eq!(given, [Some(painted().image), None]);
}

#[test]
fn a_file_of_the_run_has_the_image_and_its_trajectory_has_none() {
    let (sim, _) = made();
    let later = life(&sim, 2);
    let run = run_id();
    let (export, inspect) = (
        Command::Export { run: run.clone() },
        Command::Inspect { run },
    );
    assert!(later.until(NEVER, &[export, inspect]));
    let panel = later.panel.borrow();
    let file: Value = serde_json::from_str(&panel.exported[0]).expect("a file");
    let bodies = file["bodies"].as_object().expect("bodies");
    let holds = |body: &&Value| body.to_string().contains("iVBOR");
    assert_eq!(bodies.values().filter(holds).count(), 1);
    let trajectory: Trajectory = serde_json::from_str(&panel.inspected[0]).expect("a trajectory");
    assert!(!panel.inspected[0].contains("iVBOR"));
    assert!(trajectory.metrics.tokens.output >= 1_056);
}

#[test]
fn an_image_goes_with_its_conversation() {
    let (sim, _) = made();
    assert!(!sim.blob_hashes().is_empty());
    let later = life(&sim, 2);
    let erase = Command::EraseConversation {
        conversation: run_id(),
    };
    assert!(later.until(NEVER, &[erase]));
    assert_eq!(sim.blob_hashes(), Vec::<String>::new());
}
