//! Lines in a turn that say how the turn was interrupted, and how it continued.

use crate::browser::{host_of, time_of_day};
use crate::permission::hosts_of;
use crate::prelude::*;
use crate::spending::limit_link;
use gloss::agent::{MissingRight, ModelIdentity, Verdict};
use gloss::app::surface::Notice;
use gloss::durable::Stop;
use gloss::model::BUILT_IN;
use gloss::phrase::Phrase;

/// The line of a notice.
pub(crate) fn seam(seam: &Notice) -> Tag {
    line(words(seam))
}

/// The lines of a turn's notices. If the user refused permission for a model and another model
/// continued, the two notices become one line.
pub(crate) fn seams(all: &[Notice]) -> Vec<Tag> {
    let mut lines = Vec::new();
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
    lines
}

fn line(words: impl IntoView) -> Tag {
    tag("p.seam", tag("span", words))
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
        } => permission(*at_ms, need, verdict),
    }
}

/// Returns a line with the number of times that the worker died in a row, and the effects that were
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

/// Returns a line with the time for which the run was paused, and the effects that were repeated
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

fn permission(at_ms: u64, need: &MissingRight, verdict: &Verdict) -> String {
    let [granted, refused] = match need {
        MissingRight::Site { .. } => ["seam_site_allowed", "seam_site_refused"],
        MissingRight::Screenshot => ["seam_screenshot_allowed", "seam_screenshot_refused"],
        MissingRight::Send(_) => ["seam_call_approved", "seam_call_rejected"],
        MissingRight::Memory(_) => ["seam_memory_allowed", "seam_memory_refused"],
        MissingRight::Outcome { .. } => ["seam_done_again", "seam_not_repeated"],
        MissingRight::Pages { .. } => ["seam_pages_allowed", "seam_pages_refused"],
        MissingRight::Provider { .. } => ["seam_provider_allowed", "seam_provider_refused"],
        MissingRight::Search { .. } => ["seam_provider_allowed", "seam_search_refused"],
    };
    let key = match verdict {
        Verdict::Granted | Verdict::Approved { .. } => granted,
        Verdict::Refused | Verdict::Rejected { .. } => refused,
    };
    let named = match (need, verdict) {
        (MissingRight::Outcome { tool, .. }, _) => tool.clone(),
        (MissingRight::Pages { origins }, _) => hosts_of(origins),
        (MissingRight::Send(request), _) => request.to.clone(),
        (
            MissingRight::Provider { origin, .. } | MissingRight::Search { origin, .. },
            Verdict::Granted,
        ) => host_of(origin),
        (MissingRight::Provider { name, .. } | MissingRight::Search { name, .. }, _) => {
            name.clone()
        }
        _ => return timed(key, at_ms),
    };
    msg_with(key, &[&named, &time_of_day(at_ms)])
}

fn timed(key: &str, at_ms: u64) -> String {
    msg_with(key, &[&time_of_day(at_ms)])
}

/// Returns the name of the answering model: for a server, the name that the user typed.
pub(crate) fn speaker(speaker: &ModelIdentity) -> String {
    if speaker.profile.is_empty() {
        msg("on_device")
    } else if speaker.profile == BUILT_IN {
        msg("built_in")
    } else {
        speaker.provider.clone()
    }
}
