//! Arguments whose value is one of a few words.

/// Implements `Argument` for a choice between words. It either defines a new enum, or uses an
/// existing enum that has `ALL` and `name`.
macro_rules! choices {
    ($known:ty) => {
        impl $crate::schema::Argument for $known {
            fn schema() -> serde_json::Value {
                $crate::schema::one_of(&<$known>::ALL.map(<$known>::name))
            }

            fn expected() -> String {
                $crate::schema::expected_of(&<$known>::ALL.map(<$known>::name))
            }

            fn read(value: &serde_json::Value) -> Result<Self, $crate::schema::InvalidArgument> {
                let word = value.as_str();
                let one = <$known>::ALL.into_iter().find(|it| word == Some(it.name()));
                one.ok_or_else(|| $crate::schema::InvalidArgument::but(Self::expected(), value))
            }
        }
    };
    (
        $(#[doc = $doc:literal])+
        $vis:vis enum $name:ident {
            $($(#[doc = $meaning:literal])+ $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {
            $($(#[doc = $meaning])+ $variant,)+
        }

        impl $crate::schema::Argument for $name {
            fn schema() -> serde_json::Value {
                $crate::schema::one_of(&[$($word),+])
            }

            fn expected() -> String {
                $crate::schema::expected_of(&[$($word),+])
            }

            fn read(value: &serde_json::Value) -> Result<Self, $crate::schema::InvalidArgument> {
                match value.as_str() {
                    $(Some($word) => Ok(Self::$variant),)+
                    _ => Err($crate::schema::InvalidArgument::but(Self::expected(), value)),
                }
            }
        }
    };
}

pub(super) use choices;
