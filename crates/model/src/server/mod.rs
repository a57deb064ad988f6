//! Models on servers, with any supported API.
//!
//! Example: `POST {base}/chat/completions` with `stream: true`. The deltas of the response
//! pass through a [`protocol::ReplyParser`](super::protocol::ReplyParser) to the sink, and the
//! result is a [`Reply`]. For each API, a [`Dialect`] builds requests and decodes responses without
//! I/O. This module performs the I/O. If a server rejects an optional part of a request, the
//! request is sent again without that part. Each part is left out at most once.
//!
//! This module does not retry failed calls. The agent loop does so if [`ModelError::is_retryable`]
//! is true. No state is kept between calls.

mod address;
mod answer;
mod apis;
mod chat_completions;
mod conversation;
mod decode;
mod decoded_response;
mod dialect;

mod gemini;
mod gemini_retry_delay;
mod images;
mod json;
mod list;
mod messages;
mod ollama;
mod refusal;
mod rejected_features;
mod response_reader;
mod responses;
mod tool_schema;

pub mod testing;
#[cfg(test)]
mod tests;

pub use decode::StreamDecoder;

pub(super) use answer::{Beside, reply};
pub(super) use conversation::{Conversation, Turn};
pub(super) use decoded_response::DecodedResponse;
pub use images::MOST_MS as MOST_PAINTING_MS;
pub(super) use images::is_known as makes_images;
pub(super) use refusal::quote;

use super::protocol::ReplyParser;
use super::{AnswerOrigin, Awaited, Fault, Model, ModelError, Profile, Reply, Request, Usage};
use address::Address;
use apis::dialect_of;
use dialect::Dialect;
use futures::{FutureExt, StreamExt};
use gloss_durable::{Clock, Fut, Sink, within};
use gloss_host::{
    Grants, Http, HttpError, HttpRequest, HttpResponse, Method, Secret, Secrets, Web,
};
use refusal::Refusal;
use rejected_features::{Feature, Shape};
use response_reader::ResponseReader;
use std::rc::Rc;

/// The timeout for the first text of a reply, in ms. A local model may load or think for minutes
/// before its first text. White space that keeps the connection open does not extend this timeout.
pub(super) const FIRST_WORD_MS: u64 = 300_000;
/// The timeout for further bytes after the first text, in ms. Even a slow computer sends something
/// every minute while its model writes.
pub(super) const NEXT_WORD_MS: u64 = 60_000;
/// The maximum time to wait for the usage after the end of the answer, in ms.
const TRAILER_MS: u64 = 5_000;
/// The maximum number of bytes that are read from the body of a refusal, and the timeout for
/// reading them in ms.
const REFUSAL_BYTES: usize = 64 << 10;
const REFUSAL_MS: u64 = 10_000;

/// The model of a profile, with the services that a call to the model needs.
#[derive(Clone)]
pub struct ServerModel {
    /// The server and its model.
    pub profile: Rc<Profile>,
    /// The network.
    pub http: Rc<dyn Http>,
    /// The web, from which images are fetched if a server returns an address.
    pub web: Rc<dyn Web>,
    /// The sites to which the user has granted access.
    pub grants: Rc<dyn Grants>,
    /// The API keys. The key of this profile is read for each call, and is never stored here.
    pub secrets: Rc<dyn Secrets>,
    /// The clock that measures the timeouts.
    pub clock: Rc<dyn Clock>,
}

impl Model for ServerModel {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let model = self.clone();
        async move { model.ask(&request, |text| sink.text(text)).await }.boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

/// The data that one call needs.
struct Connection<'a> {
    model: &'a ServerModel,
    dialect: &'static dyn Dialect,
    address: Address,
    key: Option<Secret>,
}

/// The reason why one attempt at a call gave no reply.
enum AttemptError {
    /// The server does not accept this part of the request.
    Without(Feature, Fault),
    /// The call failed. The text is the part of the answer that the user has seen. The usage is
    /// that of the call so far.
    Over(Fault, String, Usage),
}

impl AttemptError {
    fn fault(self) -> Fault {
        let (Self::Without(_, fault) | Self::Over(fault, ..)) = self;
        fault
    }
}

impl From<Fault> for AttemptError {
    fn from(fault: Fault) -> Self {
        Self::Over(fault, String::new(), Usage::default())
    }
}

impl ServerModel {
    /// Asks the model. Text for the user is passed to `show` when it arrives.
    async fn ask(
        &self,
        request: &Request,
        mut show: impl FnMut(&str),
    ) -> Result<Reply, ModelError> {
        let line = match self.line().await {
            Ok(line) => line,
            Err(fault) => return Err(self.failed(fault, None)),
        };
        let mut shape = Shape::of(&self.profile, line.address.is_openai());
        loop {
            let (fault, partial, used) = match line.attempt(request, &shape, &mut show).await {
                Ok(reply) => return Ok(reply),
                Err(AttemptError::Without(feature, _)) if shape.leave_out(feature) => continue,
                Err(AttemptError::Without(_, fault)) => (fault, String::new(), Usage::default()),
                Err(AttemptError::Over(fault, partial, used)) => (fault, partial, used),
            };
            return Err(self.broke_off(fault, line.key.as_ref(), partial, used));
        }
    }

    /// Returns the error for a call without any answer. The key is removed from the server's
    /// message.
    fn failed(&self, fault: Fault, key: Option<&Secret>) -> ModelError {
        self.broke_off(fault, key, String::new(), Usage::default())
    }

    /// Returns the error for a call that failed after a part of its answer arrived.
    fn broke_off(
        &self,
        fault: Fault,
        key: Option<&Secret>,
        partial: String,
        used: Usage,
    ) -> ModelError {
        let base_url = &self.profile.base_url;
        let address = Address::of(base_url, dialect_of(self.profile.api));
        let origin = address.map_or_else(|_| address::shown(base_url), |it| it.origin);
        let server = address::server(&self.profile, &origin);
        ModelError::Server {
            fault: refusal::quote(fault, &server, key.map(Secret::expose)),
            server: Box::new(server),
            partial,
            used,
        }
    }

    /// Checks the address, the user's grant and the key before anything is sent.
    async fn line(&self) -> Result<Connection<'_>, Fault> {
        let dialect = dialect_of(self.profile.api);
        let address = Address::of(&self.profile.base_url, dialect)?;
        if !self.grants.covers(&address.at(dialect.list())).await {
            return Err(Fault::NotPermitted {
                origin: address.origin,
            });
        }
        // The address in the profile may have changed since the run began. A key is sent only to
        // the origin for which the user entered it.
        let key = self.secrets.get(&self.profile.id, &address.origin).await?;
        let key = key.filter(|key| !key.expose().is_empty());
        // A key with characters that a header can't contain is rejected here. `fetch` would report
        // only a general failure.
        let sendable = |key: &Secret| key.expose().bytes().all(|byte| byte.is_ascii_graphic());
        if !key.as_ref().is_none_or(sendable) {
            return Err(Fault::BadKey { status: None });
        }
        Ok(Connection {
            model: self,
            dialect,
            address,
            key,
        })
    }
}

impl Connection<'_> {
    async fn attempt(
        &self,
        request: &Request,
        shape: &Shape,
        show: &mut impl FnMut(&str),
    ) -> Result<Reply, AttemptError> {
        let model = &self.model.profile.model;
        let body = self.dialect.body(request, model, shape);
        let url = self.address.at(&self.dialect.endpoint(model, shape));
        let sent = self.model.http.send(self.http_request(&url, body.clone()));
        let response = self.within(FIRST_WORD_MS, Awaited::Head, sent).await?;
        let response = response.map_err(|error| fault_of(error, &self.address))?;
        if !(200..300).contains(&response.status) {
            return Err(self.refused(response, &url).await);
        }
        let mut hearing = ResponseReader {
            decoder: StreamDecoder::of(self.model.profile.api),
            listener: ReplyParser::new(shape.calling(), request.tools.clone()),
            listened: 0,
        };
        match self.hear(response, &mut hearing, show).await {
            Ok(()) => {
                let (heard, speech) = hearing.finish(show);
                let beside = answer::Beside {
                    heard,
                    by: (self.model.profile.api, model),
                    body: &body,
                    tools: &request.tools,
                };
                Ok(answer::reply(speech, beside))
            }
            Err(fault) => {
                let used = hearing.used(&body);
                Err(AttemptError::Over(
                    fault,
                    hearing.listener.shown().to_owned(),
                    used,
                ))
            }
        }
    }

    fn http_request(&self, url: &str, body: String) -> HttpRequest {
        let mut headers = self.dialect.headers(self.key.as_ref());
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        headers.push(header("content-type", "application/json"));
        headers.push(header("accept", "text/event-stream, application/json"));
        HttpRequest {
            method: Method::Post,
            url: url.to_owned(),
            headers,
            body: Some(body),
        }
    }

    /// Reads the body until the answer ends. If an error occurs after the answer is complete, the
    /// answer is still used.
    async fn hear(
        &self,
        mut response: HttpResponse,
        hearing: &mut ResponseReader,
        show: &mut impl FnMut(&str),
    ) -> Result<(), Fault> {
        loop {
            let whole = hearing.decoder.is_whole();
            let most_ms = if whole { TRAILER_MS } else { FIRST_WORD_MS };
            let (silence_ms, awaited) = match hearing.decoder.pieces() {
                0 => (FIRST_WORD_MS, Awaited::FirstWord),
                _ => (NEXT_WORD_MS, Awaited::NextWord),
            };
            let news = async {
                loop {
                    let bytes = within(&*self.model.clock, silence_ms, response.body.next()).await;
                    match bytes {
                        Some(Some(Ok(bytes))) if hearing.take(&bytes, show)? => return Ok(true),
                        Some(Some(Ok(_))) => {}
                        Some(None) => return Ok(false),
                        _ if whole => return Ok(false),
                        Some(Some(Err(error))) => return Err(fault_of(error, &self.address)),
                        None => return Err(timed_out(awaited, silence_ms)),
                    }
                }
            };
            match within(&*self.model.clock, most_ms, news).await {
                Some(Ok(true)) if !hearing.is_over() => {}
                Some(Ok(_)) => break,
                Some(Err(fault)) => return Err(fault),
                None if whole => break,
                None => return Err(timed_out(awaited, most_ms)),
            }
        }
        drop(response);
        hearing.end(show)
    }

    /// Reads the whole body of a response. A body that is longer than `most` bytes is an error.
    async fn fetched(
        &self,
        sent: Fut<Result<HttpResponse, HttpError>>,
        url: &str,
        most: usize,
    ) -> Result<Vec<u8>, AttemptError> {
        let mut response = sent.await.map_err(|error| fault_of(error, &self.address))?;
        if !(200..300).contains(&response.status) {
            return Err(self.refused(response, url).await);
        }
        let mut body = Vec::new();
        while let Some(piece) = response.body.next().await {
            body.extend(piece.map_err(|error| fault_of(error, &self.address))?);
            if body.len() > most {
                let said = Some(format!("more than {} MB", most >> 20));
                return Err(Fault::Nonsense { said }.into());
            }
        }
        Ok(body)
    }

    async fn refused(&self, mut response: HttpResponse, url: &str) -> AttemptError {
        let mut body = Vec::new();
        let read = async {
            while let Some(Ok(bytes)) = response.body.next().await {
                body.extend_from_slice(&bytes);
                if body.len() > REFUSAL_BYTES {
                    break;
                }
            }
        };
        // If the refusal's body does not arrive in time, the status alone is used.
        let _silent = self.within(REFUSAL_MS, Awaited::NextWord, read).await;
        let refusal = Refusal {
            status: response.status,
            headers: &response.headers,
            body: &body,
        };
        let fault = refusal.fault(url, self.model.clock.now_ms());
        match refusal.refused_feature() {
            Some(feature) => AttemptError::Without(feature, fault),
            None => fault.into(),
        }
    }

    async fn within<T>(
        &self,
        ms: u64,
        awaited: Awaited,
        work: impl Future<Output = T>,
    ) -> Result<T, Fault> {
        let done = within(&*self.model.clock, ms, work).await;
        done.ok_or_else(|| timed_out(awaited, ms))
    }
}

fn timed_out(awaited: Awaited, after_ms: u64) -> Fault {
    Fault::TimedOut { awaited, after_ms }
}

fn fault_of(error: HttpError, address: &Address) -> Fault {
    match error {
        HttpError::BadUrl { url } => Fault::BadAddress { url },
        HttpError::NotPermitted { .. } => Fault::NotPermitted {
            origin: address.origin.clone(),
        },
        HttpError::Unreachable { .. } => Fault::Unreachable,
        HttpError::Redirected => Fault::Redirected,
        HttpError::Cut { .. } => Fault::Cut,
    }
}
