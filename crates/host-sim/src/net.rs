//! The simulated network: scripted answers, delays and broken connections.

use super::Sim;
use super::queue::{Kind, Queue};
use futures::{FutureExt, StreamExt, stream};
use gloss_durable::Fut;
use gloss_host::{Grants, Http, HttpError, HttpRequest, HttpResponse};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// The scripted answer to one request, such as `Answer::status(200).send("…").wait(50).cut()`.
#[derive(Debug, Clone)]
pub struct Answer {
    head: Result<(u16, Vec<(String, String)>), HttpError>,
    head_after_ms: u64,
    beats: VecDeque<Beat>,
}

/// A step of an answer's body. The body ends after the last step.
#[derive(Debug, Clone)]
enum Beat {
    Send(Vec<u8>),
    Wait(u64),
    Cut,
}

impl Answer {
    /// Creates a response with this status and an empty body.
    pub fn status(status: u16) -> Self {
        Self {
            head: Ok((status, Vec::new())),
            head_after_ms: 0,
            beats: VecDeque::new(),
        }
    }

    /// Creates an answer that fails without a response.
    pub fn refuse(error: HttpError) -> Self {
        Self {
            head: Err(error),
            ..Self::status(0)
        }
    }

    /// Adds a header; `name` must be in lower case.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Ok((_, headers)) = &mut self.head {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// Delays the head, or the failure, by `ms` milliseconds.
    #[must_use]
    pub fn head_after(mut self, ms: u64) -> Self {
        self.head_after_ms = ms;
        self
    }

    /// Adds bytes to the body.
    #[must_use]
    pub fn send(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.beats.push_back(Beat::Send(bytes.as_ref().to_vec()));
        self
    }

    /// Adds a pause of `ms` milliseconds to the body.
    #[must_use]
    pub fn wait(mut self, ms: u64) -> Self {
        self.beats.push_back(Beat::Wait(ms));
        self
    }

    /// Ends the body with a broken connection.
    #[must_use]
    pub fn cut(mut self) -> Self {
        self.beats.push_back(Beat::Cut);
        self
    }
}

/// A script that returns the answer for a request and the number of earlier requests.
pub(super) type Serve = Box<dyn FnMut(&HttpRequest, usize) -> Answer>;

/// The state of the network. It is shared by all simulated workers.
#[derive(Default)]
pub(super) struct Net {
    pub(super) serve: Option<Serve>,
    pub(super) arrived: Vec<HttpRequest>,
    pub(super) abandoned: usize,
    pub(super) granted: BTreeSet<String>,
}

impl Net {
    fn arrive(&mut self, request: HttpRequest) -> Answer {
        let before = self.arrived.len();
        let nobody = || HttpError::Unreachable {
            message: "Failed to fetch".to_owned(),
        };
        let answer = match &mut self.serve {
            Some(serve) => serve(&request, before),
            None => Answer::refuse(nobody()),
        };
        self.arrived.push(request);
        answer
    }
}

/// A response that has not ended. Dropping it counts as an aborted request.
struct Open {
    net: Rc<RefCell<Net>>,
    over: bool,
}

impl Open {
    /// Records that the response has ended, successfully or not.
    fn end(&mut self) {
        self.over = true;
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.over {
            self.net.borrow_mut().abandoned += 1;
        }
    }
}

impl Http for Sim {
    fn send(&self, request: HttpRequest) -> Fut<Result<HttpResponse, HttpError>> {
        let (queue, net) = (self.queue.clone(), self.net.clone());
        let there = net.clone();
        let sent = queue.issue(Kind::Sent, move || there.borrow_mut().arrive(request));
        async move {
            let answer = sent.await;
            let mut open = Open { net, over: false };
            queue.sleep(answer.head_after_ms).await;
            let (status, headers) = answer.head.inspect_err(|_| open.end())?;
            Ok(HttpResponse {
                status,
                headers,
                body: body(queue, open, answer.beats),
            })
        }
        .boxed_local()
    }
}

fn body(queue: Rc<Queue>, open: Open, beats: VecDeque<Beat>) -> super::Body {
    stream::unfold(
        (queue, open, beats),
        |(queue, mut open, mut beats)| async move {
            loop {
                queue.sleep(0).await;
                match beats.pop_front() {
                    Some(Beat::Send(bytes)) => break Some((Ok(bytes), (queue, open, beats))),
                    Some(Beat::Wait(ms)) => queue.sleep(ms).await,
                    Some(Beat::Cut) => {
                        open.end();
                        let message = "network error".to_owned();
                        beats.clear();
                        break Some((Err(HttpError::Cut { message }), (queue, open, beats)));
                    }
                    None => {
                        open.end();
                        break None;
                    }
                }
            }
        },
    )
    .boxed_local()
}

impl Grants for Sim {
    fn covers(&self, url: &str) -> Fut<bool> {
        let (net, url) = (self.net.clone(), url.to_owned());
        self.queue.local(0, move || {
            let within = |origin: &String| {
                url.strip_prefix(origin.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            net.borrow().granted.iter().any(within)
        })
    }
}
