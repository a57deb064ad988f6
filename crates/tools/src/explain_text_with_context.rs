//! `explain_text_with_context`: the passages in which the page explains a text.

use super::schema::{arguments, choices};
use super::{Destination, Output, Requirement, Tool, ToolContext, ToolError};
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_reader::PageService;

/// The tool's name.
pub const NAME: &str = "explain_text_with_context";

choices! {
    /// The level of the explanation.
    enum Level {
        /// For a general reader.
        Normal = "normal",
        /// In plain words.
        Simple = "simple",
        /// For an expert in the field.
        Expert = "expert",
    }
}

impl Level {
    /// Returns the maximum number of sentences. Besides the definition, a simpler explanation
    /// contains fewer sentences that use the text.
    fn most(self) -> usize {
        match self {
            Self::Simple => 4,
            Self::Normal => 8,
            Self::Expert => 16,
        }
    }
}

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The term or passage.
        text: String,
        /// The paragraph around it, if known; other sentences on its subject are found.
        context: Option<String>,
        /// The level of the explanation; normal if left out.
        level: Option<Level>,
    }
}

pub(super) struct ExplainTextWithContext {
    pub(super) page_service: PageService,
}

impl Tool for ExplainTextWithContext {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;
    const TITLE: &'static str = "msg:tool_explain";
    const SUMMARY: &'static str = "msg:tool_explain_means";

    const DESTINATION: Destination = Destination::Device;

    const NEEDS: Option<Requirement> = Some(Requirement::Page);

    const DESCRIPTION: &'static str = "Returns the sentences of the page that define, spell out \
        or use a term, or that surround a passage, with ids and the reason for each. Use when \
        the user asks what something on the page means. Don't use for facts: use find_in_page.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "text": "neap tide" }"#,
        r#"{ "text": "MHWS", "context": "MHWS is 5.3 m at Brest.", "level": "simple" }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let page_service = self.page_service.clone();
        async move {
            let page = context.run.page.ok_or(ToolError::NoPage)?;
            let most = arguments.level.unwrap_or(Level::Normal).most();
            let (term, around) = (arguments.text, arguments.context);
            let found = page_service.explain(&page, term, around, most).await?;
            Ok(Output::passages(found))
        }
        .boxed_local()
    }
}
