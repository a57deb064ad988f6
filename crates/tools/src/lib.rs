#![doc = include_str!("../README.md")]

mod all_tools;
mod call_end;
mod choices;
mod consent;
mod context;
mod error_kind;
pub mod explain_text_with_context;
pub(crate) mod extract_screenshot_text;
pub(crate) mod find_in_page;
pub(crate) mod get_current_time;
mod grade_search_results;
pub mod image_generate;
pub mod memory_retrieve;
mod memory_save;
mod missing_right;
mod outcome;
mod outcome_origins;
mod policy;
mod properties;
mod query;
pub mod recall_details;
mod requirement;
mod rewrite_search_query;
mod run_tool;
mod schema;
mod sent_parts;
pub mod summarize_page_content;
mod switches;
mod tool;
mod tool_result;
mod tool_settings;
mod toolbox;
mod web_fetch;
mod web_search;
mod written;

#[cfg(test)]
mod recall_tests;
#[cfg(test)]
mod sent_tests;
#[cfg(test)]
mod tests;

pub use all_tools::all;
pub use call_end::CallEnd;
pub use consent::{
    Approval, Author, Consent, FindStandingApproval, SendKind, SendRequest, SentPart,
    StandingApproval,
};
pub use context::{ConsentState, MemoryAccess, RunContext, RunPage, ToolContext};
pub use error_kind::ErrorKind;
pub use gloss_model::role_models::{ModelRole, RoleCall, RoleModels};
pub use gloss_web::{Assessment, PassageOrigin, SourceData, sources};
pub use memory_save::FactOutcome;
pub use missing_right::{MissingRight, ProposedFacts};
pub use outcome::{ToolError, ToolOutcome};
pub use policy::{COLUMNS, Decision, Destination, MOST_OF_A_SITE, Policy, TABLE, host, site};
pub use properties::{Execution, ToolProperties};
pub use requirement::Requirement;
pub use run_tool::{RunTool, ToolLabel};
pub use switches::Switches;
pub use tool::{TIMEOUT_MS, ToolDyn};
pub use tool_result::{Output, Picture};
pub use tool_settings::{Group, ToolSetting, disabled_tools, offers};
pub use toolbox::{Toolbox, omission_order};

use tool::Tool;
