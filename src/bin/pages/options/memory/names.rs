//! The names of tiers and categories.

use crate::prelude::*;
use gloss::memory::{Category, Tier};

/// Returns the name of a tier.
pub(super) fn tier_name(tier: Tier) -> String {
    msg(match tier {
        Tier::Core => "tier_core",
        Tier::Important => "tier_important",
        Tier::Context => "tier_context",
    })
}

/// Returns the name of a category.
pub(super) fn category_name(category: Category) -> String {
    msg(match category {
        Category::Profile => "category_profile",
        Category::Preference => "category_preference",
        Category::Technical => "category_technical",
        Category::Project => "category_project",
    })
}
