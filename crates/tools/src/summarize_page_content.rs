//! `summarize_page_content`: the page's main content, cut to the context window.

use super::schema::{arguments, choices};
use super::{Destination, Output, Requirement, Tool, ToolContext, ToolError};
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_durable::json::put;
use gloss_reader::PageService;

/// The tool's name.
pub const NAME: &str = "summarize_page_content";

/// The token limit of a normal result: the limit for the steps of a run with a simple task (SPEC
/// §9). If the page is longer, its best passages are selected.
const NORMAL_TOKENS: u32 = 12_000;

const BRIEF_TOKENS: u32 = NORMAL_TOKENS / 3;

/// The token limit of a detailed result: the limit for the steps of a run with a moderate task.
const DETAILED_TOKENS: u32 = 18_000;

choices! {
    /// The amount of the page to return.
    enum Detail {
        /// Enough for a short answer.
        Brief = "brief",
        /// Enough for a summary.
        Normal = "normal",
        /// As much as fits.
        Detailed = "detailed",
    }
}

impl Detail {
    fn tokens(self) -> u32 {
        match self {
            Self::Brief => BRIEF_TOKENS,
            Self::Normal => NORMAL_TOKENS,
            Self::Detailed => DETAILED_TOKENS,
        }
    }
}

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The length; normal if left out.
        detail: Option<Detail>,
        /// An aspect to prefer, if any.
        focus: Option<String>,
        /// The language of the summary, if the user named one.
        language: Option<String>,
    }
}

pub(super) struct SummarizePageContent {
    pub(super) page_service: PageService,
}

impl Tool for SummarizePageContent {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;
    const TITLE: &'static str = "msg:tool_summarize";
    const SUMMARY: &'static str = "msg:tool_summarize_means";

    const DESTINATION: Destination = Destination::Device;

    const NEEDS: Option<Requirement> = Some(Requirement::Page);

    const DESCRIPTION: &'static str = "Returns the main content of the user's page as passages \
        with ids, without menus and advertisements. Use when the whole page matters: a summary, \
        an outline, its main claims. Don't use for one fact: use find_in_page.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "detail": "brief" }"#,
        r#"{ "detail": "detailed", "focus": "what it says about safety" }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let page_service = self.page_service.clone();
        async move {
            let page = context.page.clone().ok_or(ToolError::NoPage)?;
            let budget = arguments.detail.unwrap_or(Detail::Normal).tokens();
            let excerpt = page_service
                .excerpt(&page, context.room.page(budget), arguments.focus)
                .await?;
            let mut output = Output::passages(excerpt);
            if let Some(language) = arguments.language {
                put(&mut output.data, "summarizeIn", language.into());
            }
            Ok(output)
        }
        .boxed_local()
    }
}
