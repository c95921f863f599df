//! The `wasm-bindgen-test-runner` command, which runs wasm tests in a browser.

use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::init();
    match wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}
