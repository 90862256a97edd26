//! Setup as the program calls it: from a task of its runtime, over this machine's folders.

use imprint_core::StoreError;
use tokio::{
    runtime::Handle,
    sync::mpsc::{UnboundedSender, unbounded_channel},
    task,
};

use super::{
    SetupChoices, SetupError, SetupOutcome, SetupPlan, SetupProgress, UndoPlan, UndoReport,
    engine::Engine,
};
use crate::{folders::Folders, steps::Steps};

impl Folders {
    /// What setup would do now. Creates nothing.
    pub async fn plan_setup(&self, choices: SetupChoices) -> Result<SetupPlan, SetupError> {
        self.with_engine(move |engine| engine.plan(&choices)).await
    }

    /// Sets everything up: what a plan made under the lock says, unless that is more than the user
    /// agreed to. Tells what it is at.
    pub async fn set_up(
        &self,
        choices: SetupChoices,
        agreed: Option<SetupPlan>,
        mut tell: impl FnMut(SetupProgress),
    ) -> Result<SetupOutcome, SetupError> {
        let (sender, mut told) = unbounded_channel();
        let work = self.with_engine(move |engine| {
            engine.carry_out(&choices, agreed.as_ref(), &mut |progress| {
                say(&sender, progress);
            })
        });
        tokio::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                Some(progress) = told.recv() => tell(progress),
            }
        }
    }

    /// What [`Self::undo_setup`] would take back. Creates nothing.
    pub async fn plan_undo(&self) -> Result<UndoPlan, SetupError> {
        self.with_engine(|engine| engine.undo_plan()).await
    }

    /// Takes back what all setups did since the last time they were taken back.
    pub async fn undo_setup(&self) -> Result<UndoReport, SetupError> {
        self.with_engine(|engine| engine.undo()).await
    }

    async fn with_engine<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Engine<'_>) -> Result<T, SetupError> + Send + 'static,
    ) -> Result<T, SetupError> {
        let runtime = Handle::current();
        let this = self.clone();
        let worked = task::spawn_blocking(move || {
            work(&Engine {
                home: &this.home,
                machine: &this.machine,
                left_alone: &this.left_alone,
                registry: &this.registry,
                runtime,
                steps: &Steps::unlimited(),
            })
        });
        worked.await.unwrap_or_else(|_| {
            let message = "setup ended unexpectedly; run it again".to_owned();
            Err(SetupError::Store(StoreError::Unavailable { message }))
        })
    }
}

/// Nobody may be listening any more, which is no reason to stop.
fn say(sender: &UnboundedSender<SetupProgress>, progress: SetupProgress) {
    let _ = sender.send(progress);
}
