//! Lines in a turn that say how the turn was interrupted, and how it continued.

use crate::browser::{host_of, time_of_day};
use crate::parts::tag;
use crate::permission::hosts_of;
use crate::spending::limit_link;
use crate::words::{grouped, msg, msg_with, phrase_text};
use gloss::agent::{MissingRight, ModelIdentity, Verdict};
use gloss::app::surface::Notice;
use gloss::durable::Stop;
use gloss::model::BUILT_IN;
use gloss::phrase::Phrase;
use sycamore::prelude::*;

/// The line of one notice.
pub(crate) fn seam(seam: &Notice) -> View {
    line(words(seam))
}

/// The lines of a turn's notices. If a model lacked a permission, two notices say so. They become
/// one line, because that model did not fail to answer.
pub(crate) fn seams(all: &[Notice]) -> View {
    let mut lines: Vec<View> = Vec::new();
    let mut at = 0;
    while let Some(seam) = all.get(at) {
        if let Notice::ModelChanged {
            failure: Some(failure),
            ..
        } = seam
            && failure.code == "month_limit"
        {
            lines.push(line((words(seam), " ", limit_link())));
            at += 1;
            continue;
        }
        let words = match (seam, all.get(at + 1)) {
            (
                Notice::Permission {
                    need: MissingRight::Provider { name, .. },
                    verdict: Verdict::Refused,
                    ..
                },
                Some(Notice::ModelChanged { to, .. }),
            ) => {
                at += 1;
                msg_with("seam_model_not_allowed", &[name, &speaker(to)])
            }
            _ => words(seam),
        };
        lines.push(line(words));
        at += 1;
    }
    lines.into()
}

fn line(words: impl Into<View>) -> View {
    tag("p.seam", tag("span", words)).into()
}

fn words(seam: &Notice) -> String {
    match seam {
        Notice::Resumed {
            at_ms,
            times,
            again,
        } => resumed(*at_ms, *times, again),
        Notice::Restarted { at_ms, times: 1 } => timed("seam_restarted", *at_ms),
        Notice::Restarted { at_ms, times } => msg_with(
            "seam_restarted_often",
            &[&time_of_day(*at_ms), &times.to_string()],
        ),
        Notice::Stopped { at_ms } => timed("seam_stopped", *at_ms),
        Notice::Renewed { at_ms, unknown } if unknown.is_empty() => timed("seam_renewed", *at_ms),
        Notice::Renewed { at_ms, unknown } => msg_with(
            "seam_renewed_unknown",
            &[&time_of_day(*at_ms), &unknown.join(", ")],
        ),
        Notice::Paused {
            at_ms,
            by,
            until_ms,
            again,
        } => paused(*at_ms, *by, *until_ms, again),
        Notice::Compacted { before, after } => msg_with(
            "seam_compacted",
            &[&grouped((*before).into()), &grouped((*after).into())],
        ),
        Notice::Forked { step } => msg_with("seam_forked", &[&step.to_string()]),
        Notice::ModelChanged {
            to,
            failure: Some(failure),
            ..
        } => msg_with(
            "seam_model_failed",
            &[&phrase_text(&failure.title), &speaker(to)],
        ),
        Notice::ModelChanged { from, to, .. } => {
            msg_with("seam_model_changed", &[&speaker(from), &speaker(to)])
        }
        Notice::Permission {
            at_ms,
            need,
            verdict,
        } => permission(*at_ms, need, *verdict),
    }
}

/// A line with the number of times that the worker died in a row, and the effects that were
/// repeated.
fn resumed(at_ms: u64, times: u32, again: &[Phrase]) -> String {
    let (time, times) = (time_of_day(at_ms), (times > 1).then(|| times.to_string()));
    let again = listed(again);
    match (times, again.as_str()) {
        (None, "") => msg_with("seam_resumed", &[&time]),
        (None, again) => msg_with("seam_resumed_again", &[&time, again]),
        (Some(times), "") => msg_with("seam_resumed_often", &[&time, &times]),
        (Some(times), again) => msg_with("seam_resumed_often_again", &[&time, &times, again]),
    }
}

fn listed(again: &[Phrase]) -> String {
    let again: Vec<String> = again.iter().map(phrase_text).collect();
    again.join("; ")
}

/// A line with the time for which the run was paused, and the effects that were repeated
/// afterwards.
fn paused(at_ms: u64, by: Stop, until_ms: Option<u64>, again: &[Phrase]) -> String {
    let [stands, went_on, sent_again] = match by {
        Stop::Restart => [
            "seam_interrupted",
            "seam_interrupted_until",
            "seam_interrupted_again",
        ],
        Stop::Pause | Stop::User => ["seam_paused", "seam_paused_until", "seam_paused_again"],
    };
    let Some(until_ms) = until_ms else {
        return timed(stands, at_ms);
    };
    let (from, until) = (time_of_day(at_ms), time_of_day(until_ms));
    match listed(again).as_str() {
        "" => msg_with(went_on, &[&from, &until]),
        again => msg_with(sent_again, &[&from, &until, again]),
    }
}

fn permission(at_ms: u64, need: &MissingRight, verdict: Verdict) -> String {
    match (need, verdict) {
        (MissingRight::Site { .. }, Verdict::Granted) => timed("seam_site_allowed", at_ms),
        (MissingRight::Site { .. }, Verdict::Refused) => timed("seam_site_refused", at_ms),
        (MissingRight::Screenshot, Verdict::Granted) => timed("seam_screenshot_allowed", at_ms),
        (MissingRight::Screenshot, Verdict::Refused) => timed("seam_screenshot_refused", at_ms),
        (MissingRight::Outcome { tool, .. }, Verdict::Granted) => {
            msg_with("seam_done_again", &[tool, &time_of_day(at_ms)])
        }
        (MissingRight::Outcome { tool, .. }, Verdict::Refused) => {
            msg_with("seam_not_repeated", &[tool, &time_of_day(at_ms)])
        }
        (MissingRight::Image { .. }, Verdict::Granted) => timed("seam_image_allowed", at_ms),
        (MissingRight::Image { .. }, Verdict::Refused) => timed("seam_image_refused", at_ms),
        (MissingRight::Memory(_), Verdict::Granted) => timed("seam_memory_allowed", at_ms),
        (MissingRight::Memory(_), Verdict::Refused) => timed("seam_memory_refused", at_ms),
        (MissingRight::Pages { origins }, verdict) => {
            let key = match verdict {
                Verdict::Granted => "seam_pages_allowed",
                Verdict::Refused => "seam_pages_refused",
            };
            msg_with(key, &[&hosts_of(origins), &time_of_day(at_ms)])
        }
        (
            MissingRight::Provider { origin, .. } | MissingRight::Search { origin, .. },
            Verdict::Granted,
        ) => msg_with(
            "seam_provider_allowed",
            &[&host_of(origin), &time_of_day(at_ms)],
        ),
        (MissingRight::Search { name, .. }, Verdict::Refused) => {
            msg_with("seam_search_refused", &[name, &time_of_day(at_ms)])
        }
        (MissingRight::Provider { name, .. }, Verdict::Refused) => {
            msg_with("seam_provider_refused", &[name, &time_of_day(at_ms)])
        }
    }
}

fn timed(key: &str, at_ms: u64) -> String {
    msg_with(key, &[&time_of_day(at_ms)])
}

/// The name of the answering model: for a server, the name that the user typed.
pub(crate) fn speaker(speaker: &ModelIdentity) -> String {
    if speaker.profile.is_empty() {
        msg("on_device")
    } else if speaker.profile == BUILT_IN {
        msg("built_in")
    } else {
        speaker.provider.clone()
    }
}
