//! Requests about the storage of API keys and the passphrase that encrypts them.

use super::super::preferences::{FieldName, origin_of};
use super::rejection::Rejection;
use super::{State, TypedKey};
use gloss_agent::failure;
use gloss_host::{KeyError, KeyStorage, Secret, UnlockResult, Vault};
use gloss_model::phrase::phrase;
use gloss_web::search::ProviderKind;

/// The minimum length of a passphrase, in characters. A shorter passphrase can be guessed even if
/// the key derivation uses many rounds.
const FEWEST_LETTERS: usize = 8;

impl From<KeyError> for Rejection {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Locked => Rejection::at(FieldName::Key, phrase("options_keys_locked_first")),
            KeyError::Store(error) => Self::Stored(error),
        }
    }
}

/// Moves the keys to another storage.
pub(super) async fn keep(
    vault: &Vault,
    keeping: KeyStorage,
    typed: &TypedKey,
) -> Result<(), Rejection> {
    let passphrase = Secret::new(&typed.0);
    if keeping == KeyStorage::Sealed && passphrase.expose().chars().count() < FEWEST_LETTERS {
        let words = phrase("options_passphrase_short").with(&FEWEST_LETTERS);
        return Err(Rejection::at(FieldName::NewPassphrase, words));
    }
    Ok(vault.keep(keeping, &passphrase).await?)
}

/// Unlocks the keys for this browser session.
pub(super) async fn unlock(vault: &Vault, typed: &TypedKey) -> Result<(), Rejection> {
    match vault.unlock(&Secret::new(&typed.0)).await? {
        UnlockResult::Yes => Ok(()),
        UnlockResult::Wrong => Err(Rejection::at(
            FieldName::Passphrase,
            phrase("options_passphrase_wrong"),
        )),
    }
}

/// Writes the storage of the keys and the names of the stored keys into `state`.
pub(super) async fn describe(vault: &Vault, state: &mut State) {
    let holding = match vault.holding().await {
        Ok(holding) => holding,
        Err(error) => {
            let unreadable = failure("keys_unreadable").remedy_with(&error);
            return state.warnings.push(unreadable);
        }
    };
    let has_key = |id: &str, base_url: &str| {
        let origin = origin_of(base_url).unwrap_or_default();
        let mut given = holding.given.iter();
        given.any(|(name, given_for)| name == id && *given_for == origin)
    };
    let profiles = state.preferences.profiles.iter();
    let with_key = profiles.filter(|profile| has_key(&profile.id, &profile.base_url));
    let searches = ProviderKind::ALL.into_iter().filter(|engine| {
        let server = state.preferences.search.server(*engine);
        has_key(engine.key_name(), &server.base_url)
    });
    let searches = searches.map(|engine| engine.key_name().to_owned());
    let with_key = with_key.map(|profile| profile.id.clone());
    state.with_key = with_key.chain(searches).collect();
    state.keeping = holding.keeping;
    state.locked = holding.locked;
}
