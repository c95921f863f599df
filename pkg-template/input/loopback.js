const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether a host name means the machine itself, as while a shop is developed. */
export const isLoopback = (host) => LOOPBACK.test(host);
