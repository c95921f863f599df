//! Fails what a trigger names.

use crate::error::{ErrorCode, Problem, Result};
use crate::fields::Values;
use crate::trigger::{Means, Operation};
use crate::world::World;

/// The amount of a transfer that is created and then gets the status Failed.
pub(crate) const FAILING_TRANSFER_AMOUNT: i64 = 990_099;

/// Fails if the amount is a trigger of the operation.
pub(crate) fn by_amount(world: &World, operation: Operation, given: i64) -> Result {
    let is_given = |means: &Means, _| matches!(means, Means::Amount { amount } if *amount == given);
    check(world, operation, "amount", is_given).map_err(|problem| problem.at("amount").into())
}

/// Fails if a last name or company name is a trigger of the operation.
pub(crate) fn by_name(world: &World, operation: Operation, values: &Values) -> Result {
    let name = values.text("lastName").or(values.text("companyName"));
    let is_given = |means: &Means, code: ErrorCode| *means == Means::Name && name == Some(code.name());
    Ok(check(world, operation, "name", is_given)?)
}

fn check(
    world: &World,
    operation: Operation,
    what: &str,
    is_given: impl Fn(&Means, ErrorCode) -> bool,
) -> Result<(), Problem> {
    let mut of_operation = world.triggers.iter().filter(|trigger| trigger.operation == operation);
    match of_operation.find(|trigger| is_given(&trigger.means, trigger.code)) {
        None => Ok(()),
        Some(trigger) => Err(Problem::new(trigger.code)
            .because(format!("this {what} is a trigger of the sandbox; see GET /sandbox/triggers"))),
    }
}
