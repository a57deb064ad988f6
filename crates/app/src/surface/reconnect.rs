//! Decides when a surface connects to the worker, how long the surface waits, and when it reports
//! that the worker doesn't answer. The page itself opens the ports and sets the timers.
//!
//! Example: Chrome kills the worker in the middle of a run. [`Reconnect::lost`] returns
//! [`Next::Open`], and the page opens a port, which starts a new worker. If the new worker dies
//! while it starts, the page waits 125, 250, 500 ms and so on before the next attempts. After
//! [`LOSSES`] attempts the page tells the user that the worker doesn't answer. If no run is active,
//! `lost` returns [`Next::Rest`], because an open port keeps the worker alive.

/// The maximum time to wait for the answer to a hello (a request for a snapshot), in milliseconds.
pub const HANDSHAKE_MS: u32 = 2_000;
/// The number of unanswered hellos after which the page tells the user that the worker doesn't
/// answer.
const GREETINGS: u8 = 2;
/// The maximum number of times that the page opens a closed port again. After that, it tells the
/// user that the worker doesn't answer.
const LOSSES: u8 = 8;
/// The wait before the second attempt to open a closed port, in milliseconds. Each further wait is
/// twice as long, up to sixteen times this value.
const WAIT_MS: u32 = 125;

/// The next action of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Do nothing: the connection works, or nothing needs the worker.
    Rest,
    /// Open a port and send a hello.
    Open,
    /// Wait, then open a port and send a hello. If the connection changes during the wait, do
    /// nothing.
    OpenAfter {
        /// The wait, in milliseconds.
        wait_ms: u32,
    },
    /// Send a hello on the open port.
    Greet,
    /// Close the port, open another one and send a hello.
    Reopen,
    /// Close the port, if one is open, and report that the worker doesn't answer.
    Tell,
}

/// The number of a port or a hello. An event with an older number than the current one is ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ticket(u32);

/// The state of a connection.
#[derive(Debug, Default)]
pub struct Reconnect {
    line: Line,
    /// The number of the current port. It increases when a port is opened or given up.
    port: Ticket,
    /// The number of the last hello.
    greeting: Ticket,
    /// The number of hellos since the last answer.
    unanswered: u8,
    /// The number of ports that closed since the last answer.
    losses: u8,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Line {
    #[default]
    Closed,
    /// A port is open, and the worker has not answered on it yet.
    Greeted,
    /// The worker has answered on the open port.
    Open,
}

impl Reconnect {
    /// Returns the next action of a surface that has something to send to the worker. Earlier
    /// failures no longer count.
    pub fn wanted(&mut self) -> Next {
        self.unanswered = 0;
        self.losses = 0;
        match self.line {
            Line::Closed => Next::Open,
            Line::Greeted | Line::Open => Next::Greet,
        }
    }

    /// Records that the page has opened a port. The page passes the returned ticket to
    /// [`Self::lost`] when the port closes.
    pub fn opened(&mut self) -> Ticket {
        self.port.0 += 1;
        self.line = Line::Greeted;
        self.port
    }

    /// Records that the page has sent a hello. The page passes the returned ticket to
    /// [`Self::waited`] after [`HANDSHAKE_MS`].
    pub fn greeted(&mut self) -> Ticket {
        self.greeting.0 += 1;
        self.unanswered = self.unanswered.saturating_add(1);
        self.greeting
    }

    /// Records that the worker has answered. Returns true if this is the first answer on the
    /// current port.
    pub fn answered(&mut self) -> bool {
        let first = self.line != Line::Open;
        self.line = Line::Open;
        self.unanswered = 0;
        self.losses = 0;
        first
    }

    /// Returns the next action when [`HANDSHAKE_MS`] have passed since the hello `greeting`.
    pub fn waited(&mut self, greeting: Ticket) -> Next {
        if greeting != self.greeting || self.unanswered == 0 || self.line == Line::Closed {
            return Next::Rest;
        }
        self.close();
        if self.unanswered < GREETINGS {
            Next::Reopen
        } else {
            Next::Tell
        }
    }

    /// Returns the next action when the port `port` has closed. `busy` is true if a run is active
    /// or a command is not confirmed.
    pub fn lost(&mut self, port: Ticket, busy: bool) -> Next {
        if port != self.port {
            return Next::Rest;
        }
        let wanted = busy || self.unanswered > 0;
        self.close();
        if !wanted {
            return Next::Rest;
        }
        self.losses = self.losses.saturating_add(1);
        // The worker that received the unanswered hellos is dead, so these hellos no longer count.
        self.unanswered = 0;
        match self.losses {
            0 | 1 => Next::Open,
            losses if losses <= LOSSES => Next::OpenAfter {
                wait_ms: WAIT_MS << u32::from(losses - 2).min(4),
            },
            _ => Next::Tell,
        }
    }

    /// Returns true if the worker has answered on the open port.
    pub fn is_open(&self) -> bool {
        self.line == Line::Open
    }

    /// Returns true if no port is open.
    pub fn is_closed(&self) -> bool {
        self.line == Line::Closed
    }

    /// Returns the ticket of the newest port. A caller that kept an older ticket can see that
    /// another port was opened.
    pub fn port(&self) -> Ticket {
        self.port
    }

    fn close(&mut self) {
        self.line = Line::Closed;
        // Later events of the closed port have an older ticket and are ignored.
        self.port.0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    /// Opens a port and sends a hello.
    fn connect(line: &mut Reconnect) -> (Ticket, Ticket) {
        (line.opened(), line.greeted())
    }

    #[test]
    fn a_busy_surface_opens_at_once_then_ever_later_then_tells() {
        let mut line = Reconnect::default();
        assert_eq!(line.wanted(), Next::Open);
        let mut seen = Vec::new();
        for _ in 0..9 {
            let (port, _) = connect(&mut line);
            seen.push(line.lost(port, true));
        }
        let after = |wait_ms| Next::OpenAfter { wait_ms };
        let waits = [125, 250, 500, 1_000, 2_000, 2_000, 2_000].map(after);
        let expected: Vec<Next> = [Next::Open].into_iter().chain(waits).collect();
        assert_eq!(seen[..8], expected);
        assert_eq!(seen[8], Next::Tell);
    }

    #[test]
    fn an_idle_surface_lets_the_worker_sleep() {
        let mut line = Reconnect::default();
        let (port, _) = connect(&mut line);
        line.answered();
        assert_eq!(line.lost(port, false), Next::Rest);
        assert_eq!(line.wanted(), Next::Open, "until it is needed");
    }

    #[test]
    fn a_silent_worker_is_greeted_on_a_new_port_once_then_told_of() {
        let mut line = Reconnect::default();
        let (_, greeting) = connect(&mut line);
        assert_eq!(line.waited(greeting), Next::Reopen);
        let (_, greeting) = connect(&mut line);
        assert_eq!(line.waited(greeting), Next::Tell);
        assert_eq!(line.wanted(), Next::Open, "when the person tries again");
    }

    #[test]
    fn an_answer_forgives_all() {
        let mut line = Reconnect::default();
        let (port, _) = connect(&mut line);
        line.lost(port, true);
        let (port, greeting) = connect(&mut line);
        assert!(line.answered());
        assert!(
            !line.answered(),
            "only the first time on a port is the first"
        );
        assert_eq!(line.waited(greeting), Next::Rest);
        assert_eq!(line.lost(port, true), Next::Open);
    }

    #[test]
    fn an_old_greetings_time_does_not_run_out_for_a_newer_one() {
        let mut line = Reconnect::default();
        let (_, first) = connect(&mut line);
        line.answered();
        let second = line.greeted();
        assert_eq!(line.waited(first), Next::Rest);
        assert_eq!(line.waited(second), Next::Reopen);
    }

    #[test]
    fn a_port_that_was_given_up_is_not_lost_once_more() {
        let mut line = Reconnect::default();
        let (port, greeting) = connect(&mut line);
        assert_eq!(line.waited(greeting), Next::Reopen);
        assert_eq!(line.lost(port, true), Next::Rest);
    }

    quickcheck! {
        /// After nine failures in a row the page tells the user, in whatever order the two kinds of
        /// failures come.
        fn a_worker_that_never_answers_is_told_of(silent: Vec<bool>) -> bool {
            let mut line = Reconnect::default();
            line.wanted();
            let turns = silent.into_iter().cycle_to(20);
            turns.into_iter().any(|silent| {
                let (port, greeting) = connect(&mut line);
                let next = if silent { line.waited(greeting) } else { line.lost(port, true) };
                next == Next::Tell
            })
        }
    }

    trait CycleTo: Iterator<Item = bool> + Sized {
        fn cycle_to(self, count: usize) -> Vec<bool> {
            let mut all: Vec<bool> = self.collect();
            all.push(true);
            all.into_iter().cycle().take(count).collect()
        }
    }

    impl<I: Iterator<Item = bool>> CycleTo for I {}
}
