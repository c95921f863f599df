// The frame of a card form, in the language of the page that it stands in.

/** The origin of the page that an element is in; undefined where it is in none. */
export function pageOrigin(element) {
  return element.isConnected ? element.ownerDocument.defaultView?.origin : undefined;
}

// What a frame tells of.
const MESSAGE = 0;
const LOAD = 1;
const ERROR = 2;
const VIOLATION = 3;
const ALARM = 4;
const TURN = 5;
const ASKED = 6;

// No message of a form is longer; nothing longer is copied.
const LONGEST_MESSAGE = 64;

// Whether there is an answer is all that is asked: of another origin the page may see no more.
const WISHES = {
  method: "HEAD",
  mode: "no-cors",
  cache: "no-store",
  credentials: "omit",
  referrerPolicy: "no-referrer",
};

/**
 * The frame of a card form in a container. It judges nothing: what it notices it tells as `heard(what, flag, flag, text?, text?)`, and the
 * core decides. `readsAll` is for the build in which checks can be left out.
 */
export class Frame {
  #container;
  #window;
  #heard;
  #readsAll;
  #shown;
  #timer;
  #isClosed = false;

  constructor(container, title, height, readsAll) {
    const page = container.ownerDocument;
    this.#container = container;
    this.#window = page.defaultView;
    this.#readsAll = readsAll;
    this.element = newIframe(page, title, height);
  }

  listen(heard) {
    this.#heard = heard;
    this.#window.addEventListener("message", this.#onMessage);
    this.#window.addEventListener("securitypolicyviolation", this.#onViolation);
    this.element.addEventListener("load", this.#onLoad);
    this.element.addEventListener("error", this.#onError);
  }

  /** Loads an address in the same place. The element gets a new window by that, and the page's history does not grow. */
  show(url) {
    const { element } = this;
    const { parentNode: parent, nextSibling: next } = element;
    // A shadow root has this member as well as a document.
    const hadFocus = element.getRootNode().activeElement === element;
    element.remove();
    // Taking it out may have run a script of the page that closed it.
    if (this.#isClosed) {
      return;
    }
    element.src = url;
    this.#shown = { url };
    try {
      (parent ?? this.#container).insertBefore(element, next);
    } catch {
      this.#container.append(element);
    }
    if (hadFocus && !this.#isClosed) {
      element.focus();
    }
  }

  /** Tells of it after so many milliseconds, and of no earlier alarm any more; of none at all where `ms` is negative. */
  alarm(ms) {
    clearTimeout(this.#timer);
    if (ms >= 0 && !this.#isClosed) {
      this.#timer = setTimeout(() => this.#tell(ALARM, this.#window.document.hidden, this.#isOnline()), ms);
    }
  }

  /**
   * Asks the form's server for the address, and tells whether it answers: an error page of the browser loads as the form does, but then no request has an
   * answer either. One that fails is repeated once, as a connection may break just when the form has come.
   */
  async ask() {
    const shown = this.#shown;
    const request = async () => this.#window.fetch(shown.url, WISHES);
    const isAnswered = await request().catch(request).then(() => true, () => false);
    if (shown === this.#shown) {
      this.#tell(ASKED, isAnswered, this.#isOnline());
    }
  }

  /** Tells in a microtask, when nothing of the core is at work. */
  turn() {
    queueMicrotask(() => this.#tell(TURN, false, false));
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#window.removeEventListener("message", this.#onMessage);
    this.#window.removeEventListener("securitypolicyviolation", this.#onViolation);
    this.element.removeEventListener("load", this.#onLoad);
    this.element.removeEventListener("error", this.#onError);
    this.element.remove();
    // Put back by somebody it would show a form that nobody listens to.
    this.element.removeAttribute("src");
  }

  #tell(what, first, second, text, more) {
    if (!this.#isClosed) {
      this.#heard(what, first, second, text, more);
    }
  }

  // What a script dispatched may be no message at all: each thing is read only once the one before it holds.
  #onMessage = (event) => {
    const { isTrusted } = event;
    let isOwn = false;
    let origin;
    let data;
    if (isTrusted || this.#readsAll) {
      const sender = event.source;
      // By identity alone: a window of another origin throws at almost everything else.
      isOwn = Boolean(sender) && sender === this.element.contentWindow;
      if (isOwn || this.#readsAll) {
        ({ origin, data } = event);
      }
    }
    this.#tell(MESSAGE, isTrusted, isOwn, textOf(origin, Infinity), textOf(data, LONGEST_MESSAGE));
  };

  #onLoad = (event) => {
    if (event.isTrusted) {
      // A document that the page can look into is not the form: the browser put an empty one in its place.
      this.#tell(LOAD, this.element.contentDocument !== null, this.#isOnline());
    }
  };

  #onError = (event) => {
    if (event.isTrusted) {
      this.#tell(ERROR, false, this.#isOnline());
    }
  };

  #onViolation = (event) => {
    if (event.isTrusted && event.disposition === "enforce") {
      this.#tell(VIOLATION, false, false, event.effectiveDirective, event.blockedURI);
    }
  };

  #isOnline() {
    return this.#window.navigator.onLine;
  }
}

// The element of a frame, without its address, which it gets when somebody listens.
function newIframe(document, title, height) {
  const iframe = document.createElement("iframe");
  // What the form needs, and no more: its scripts, its own origin to talk to its server, its form. Without the last, the standard has
  // no `submit` event either, which a form may be made of.
  const attributes = {
    title,
    sandbox: "allow-scripts allow-same-origin allow-forms",
    allow: "",
    referrerpolicy: "strict-origin",
  };
  for (const [name, value] of Object.entries(attributes)) {
    iframe.setAttribute(name, value);
  }
  // By properties, which a policy against inline styles allows.
  Object.assign(iframe.style, { display: "block", width: "100%", height: `${height}px`, border: "0" });
  return iframe;
}

// Nothing is converted, and nothing long is copied.
function textOf(value, longest) {
  return typeof value === "string" && value.length <= longest ? value : undefined;
}
