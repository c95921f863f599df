use super::label::Label;
use super::traffic::Traffic;
use super::violations::Violations;
use crate::config::Config;

/// What watches the exchanges of one sandbox.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(super) checks: bool,
    pub(super) traffic: Option<Traffic>,
    pub(super) label: Label,
    pub(crate) violations: Violations,
}

impl Watch {
    pub(crate) fn open(config: &Config) -> Result<Self, String> {
        Ok(Self {
            checks: config.contract,
            traffic: config.traffic.as_deref().map(Traffic::append_to).transpose()?,
            label: Label::new(config.label.clone()),
            violations: Violations::default(),
        })
    }

    pub(super) fn is_on(&self) -> bool {
        self.checks || self.traffic.is_some()
    }
}
