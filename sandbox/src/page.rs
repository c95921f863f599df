//! GET /sandbox: the control page.

use crate::endpoint::*;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/sandbox", get(page)).route("/sandbox/assets/{asset}", get(asset))
}

fn file(media_type: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, content).into_response()
}

async fn page() -> Response {
    file("text/html; charset=utf-8", include_str!("../page/page.html"))
}

async fn asset(call: Call<Anyone>) -> Result<Response> {
    match call.path_part("asset") {
        "page.css" => Ok(file("text/css; charset=utf-8", include_str!("../page/page.css"))),
        "page.js" => Ok(file("text/javascript; charset=utf-8", include_str!("../page/page.js"))),
        _ => Err(ErrorCode::NotFound.into()),
    }
}
