import { loadCrypto } from "./crypto.js";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1.";

/**
 * Encrypts and authenticates text in a shared cache, bound to its cache key. The encryption key is derived
 * from the client secret, which all backends of a client have, by scrypt: the cache must not make the secret
 * easier to guess.
 */
export class Seal {
  #secret;
  #salt;
  #ready;

  constructor(secret, salt) {
    this.#secret = secret;
    this.#salt = salt;
  }

  /** Returns the cache key of a name. It reveals neither the name nor the secret, client and environment. */
  async keyOf(name) {
    const { crypto, nameKey } = await this.#load();
    return `remitkit:token:${crypto.createHmac("sha256", nameKey).update(name).digest("hex")}`;
  }

  async seal(text, place) {
    const { crypto, key } = await this.#load();
    const iv = crypto.randomBytes(IV_BYTES);
    const cipher = crypto.createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(place));
    const sealed = [iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
    return VERSION + Buffer.concat(sealed).toString("base64url");
  }

  /** Returns the text, or undefined if it was not sealed for this place with this secret. */
  async open(sealed, place) {
    if (typeof sealed !== "string" || !sealed.startsWith(VERSION)) return undefined;
    const { crypto, key } = await this.#load();
    const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    const end = bytes.length - TAG_BYTES;
    try {
      const decipher = crypto
        .createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(end));
      return decipher.update(bytes.subarray(IV_BYTES, end), undefined, "utf8") + decipher.final("utf8");
    } catch {
      return undefined;
    }
  }

  #load() {
    this.#ready ??= this.#derive().catch((error) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #derive() {
    const crypto = await loadCrypto();
    const bytes = await new Promise((resolve, reject) => {
      crypto.scrypt(this.#secret, this.#salt, 64, (error, bytes) => (error ? reject(error) : resolve(bytes)));
    });
    return { crypto, key: bytes.subarray(0, 32), nameKey: bytes.subarray(32) };
  }
}
