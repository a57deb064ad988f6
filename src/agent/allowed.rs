//! What the calls of a step may do: which addresses they may follow unasked, and which models
//! they may ask.

use super::Goal;
use super::desk::{Desk, Step};
use crate::durable::Halt;
use crate::model::{self, A_PICTURE, Choice, ToolCall};
use crate::rag::A_SEARCH;
use crate::tools::{Aid, Aided, Brings, Part, Vouched};

impl Desk {
    /// What may be followed unasked; `None` while nothing was read but the person's words.
    /// What a tool fails with may be a server's words, too; the clock has none, nor has what is
    /// kept of the person.
    pub(super) fn vouched(&self) -> Option<Vouched> {
        let earlier = &self.brief.history;
        // A passage that is to be explained is a page's, whether or not that could be read.
        let quotes = |part: &model::Part| matches!(part, model::Part::Quoted { .. });
        let mut said = self.context.transcript().messages();
        // So is what an earlier run learned of pages and servers.
        let is_read = self.page.is_some()
            || !self.brief.lessons.is_empty()
            || self.read == Brings::OfOthers
            || !earlier.is_empty()
            || !self.brief.earlier.kept.is_empty()
            || said.any(|message| message.parts.iter().any(quotes));
        is_read.then(|| {
            let earlier = earlier.iter().filter_map(|it| match &it.goal {
                Goal::Ask { question } => Some(question.clone()),
                Goal::Summarize | Goal::Explain { .. } | Goal::GoOn => None,
            });
            let words: Vec<String> = self.asked.iter().cloned().chain(earlier).collect();
            let links = self.document().map(|page| page.links()).unwrap_or_default();
            let page = self.page.iter().map(|page| page.url.clone());
            let found = self.elsewhere.found().chain(self.elsewhere.ends());
            let found = found.map(str::to_owned);
            Vouched::new(&words, page.chain(links).chain(found))
        })
    }

    /// Who helps calls, as far as the person chose.
    pub(super) fn helpers(&self) -> Aid {
        let hands = &self.hands;
        let (models, purse) = (hands.models.clone(), hands.purse.clone());
        Aid::new(models, purse, &self.brief.aides, &self.answering.choice)
    }

    /// Who helps these calls: nobody whom the budgets can't pay any more.
    pub(super) async fn aid(
        &mut self,
        step: &Step,
        calls: impl Iterator<Item = &ToolCall>,
    ) -> Result<Aid, Halt> {
        let asked = calls.filter_map(|call| self.toolbox.asks(call));
        let asked: Vec<Part> = asked.collect();
        let mut aid = self.helpers();
        let closing = self.closing();
        let expected = [
            (Part::Vision, "act.vision", closing),
            (Part::Image, "act.image", A_PICTURE),
            (Part::Light, "act.light", A_SEARCH),
        ];
        for (part, place, expected) in expected {
            let price = aid.playing(part).map(Choice::price);
            // All of them may be made at once.
            let calls = asked.iter().filter(|it| **it == part).count() as u32;
            let expected = expected.times(calls);
            if let Some(price) = price.filter(|_| calls > 0)
                && !self.may_pay(step, place, price, expected).await?
            {
                aid = aid.out_of_budget(part);
            }
        }
        Ok(aid)
    }

    /// Counts what a call asked of models itself, and looks what the month came to.
    pub(super) async fn pay_for_aid(
        &mut self,
        step: &Step,
        place: usize,
        tool: &str,
        aided: &[Aided],
    ) -> Result<(), Halt> {
        for (n, aided) in aided.iter().enumerate() {
            let segment = format!("act.{place}.aid.{n}");
            if self.spend_on(step, &segment, tool, aided)? {
                self.look_at_month(step, &segment).await?;
            }
        }
        Ok(())
    }
}
