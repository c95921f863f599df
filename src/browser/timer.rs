//! Waiting: for a time, and for a caller's abort.

use futures_channel::oneshot;
use gloo_events::EventListener;
use gloo_timers::future::TimeoutFuture;
use web_sys::AbortSignal;

/// Waits. Dropping the future clears the timer.
pub(super) async fn sleep(ms: u32) {
    TimeoutFuture::new(ms.min(i32::MAX as u32)).await;
}

/// Waits until the signal is aborted.
pub(super) async fn aborted(signal: &AbortSignal) {
    if signal.aborted() {
        return;
    }
    let (sender, receiver) = oneshot::channel();
    let _listener = EventListener::once(signal, "abort", move |_| {
        let _ = sender.send(());
    });
    let _ = receiver.await;
}
