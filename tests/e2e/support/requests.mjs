// The requests that send money, as a page's record and a browser's events have them.

const TRANSFERS = "/v1/transfers";

/** Every POST of a transfer that the page has made, oldest first. */
export function transferPosts(page) {
  return page.seen.requests.filter(({ method, url }) => method === "POST" && url.endsWith(TRANSFERS));
}

/** Whether a request of Playwright's is such a POST. */
export function isTransferPost(request) {
  return request.method() === "POST" && request.url().endsWith(TRANSFERS);
}
