//! Questions: commands that the worker answers with a separate message, such as a request for a
//! list. Until the answer arrives, the surface sends the question again on each new connection,
//! because the worker may have died before it answered.
//!
//! Example: the user presses "Delete" in History while no worker is alive. The page
//! connects, which starts the worker, and sends the question. The answer is the new list of
//! conversations, which no longer contains the deleted one.

use super::{Command, Reply};

/// The maximum number of times that a question is sent. Without a limit, a question that crashes
/// the worker would be sent for ever.
const MOST_POSTS: u8 = 3;

/// The open questions, in the order in which they were asked.
#[derive(Debug, Default)]
pub struct Questions(Vec<Open>);

#[derive(Debug)]
struct Open {
    command: Command,
    posts: u8,
}

impl Questions {
    /// Adds a question. If an equal question is open, the new one replaces it and may be sent
    /// `MOST_POSTS` times again.
    pub fn ask(&mut self, command: Command) {
        self.0.retain(|open| open.command != command);
        self.0.push(Open { command, posts: 0 });
    }

    /// Returns the questions to send on a new connection, and counts each as sent once more.
    pub fn on_new_line(&mut self) -> Vec<Command> {
        self.0.retain(|open| open.posts < MOST_POSTS);
        let posted = self.0.iter_mut().map(|open| {
            open.posts += 1;
            open.command.clone()
        });
        posted.collect()
    }

    /// Counts a question as sent on the current connection.
    pub fn posted(&mut self, command: &Command) {
        let asked = self.0.iter_mut().find(|open| open.command == *command);
        if let Some(open) = asked {
            open.posts += 1;
        }
    }

    /// Removes the questions that a reply answers.
    pub fn hear(&mut self, reply: &Reply) {
        self.0.retain(|open| !answers(reply, &open.command));
    }

    /// Returns true if no question is open.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn answers(reply: &Reply, question: &Command) -> bool {
    match (reply, question) {
        // A refusal doesn't say which question the worker refused, so it ends all open questions.
        (Reply::History { .. }, Command::History) | (Reply::Refused { message: None, .. }, _) => {
            true
        }
        (Reply::History { conversations }, Command::EraseConversation { conversation }) => {
            let mut kept = conversations.iter();
            !kept.any(|past| past.conversation == *conversation)
        }
        (Reply::Exported { run, .. }, Command::Export { run: asked })
        | (Reply::Inspected { run, .. }, Command::Inspect { run: asked }) => run == asked,
        (
            Reply::Picture {
                run, step, call, ..
            },
            Command::Picture {
                run: asked,
                step: at,
                call: of,
            },
        ) => (run, step, call) == (asked, at, of),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::ConversationSummary;
    use gloss_agent::{Goal, Status, failure};
    use gloss_durable::RunId;

    fn id(name: &str) -> RunId {
        RunId(name.to_owned())
    }

    fn erase(conversation: &str) -> Command {
        let conversation = id(conversation);
        Command::EraseConversation { conversation }
    }

    fn list(conversations: &[&str]) -> Reply {
        let past = conversations
            .iter()
            .map(|conversation| ConversationSummary {
                conversation: id(conversation),
                goal: Goal::Summarize,
                page: None,
                status: Status::Completed,
                turns: 1,
                at_ms: 1,
                paused: None,
            });
        Reply::History {
            conversations: past.collect(),
        }
    }

    #[test]
    fn a_question_is_open_until_its_own_answer_comes() {
        let mut open = Questions::default();
        let export = Command::Export { run: id("r") };
        for question in [Command::History, erase("a"), export.clone()] {
            open.ask(question);
        }
        // This list still contains the conversation `a`, so it answers only `Command::History`.
        open.hear(&list(&["a", "b"]));
        assert_eq!(open.on_new_line(), [erase("a"), export.clone()]);
        open.hear(&list(&["b"]));
        let other = Reply::Exported {
            run: id("other"),
            text: String::new(),
        };
        open.hear(&other);
        assert_eq!(open.on_new_line(), [export]);
        open.hear(&Reply::Refused {
            failure: failure("surface_outdated"),
            message: None,
        });
        assert!(open.is_empty());
    }

    #[test]
    fn who_dies_of_a_question_is_not_asked_for_ever() {
        let mut open = Questions::default();
        open.ask(erase("a"));
        open.posted(&erase("a"));
        assert_eq!(open.on_new_line().len(), 1);
        assert_eq!(open.on_new_line().len(), 1);
        assert_eq!(open.on_new_line().len(), 0);
        assert!(open.is_empty());
    }
}
