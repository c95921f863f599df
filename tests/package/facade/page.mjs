// As much of a page as the package itself touches: a document that finds one element.

class Element {
  hasAttribute() {
    if (!(this instanceof Element)) {
      throw new TypeError("Illegal invocation");
    }
    return false;
  }
}

export async function withPage(work) {
  const container = new Element();
  const document = {
    querySelector(selector) {
      if (selector === "##") {
        throw new DOMException("not a valid selector", "SyntaxError");
      }
      return selector === "#card" ? container : null;
    },
  };
  Object.assign(globalThis, { document, Element });
  try {
    await work({ container });
  } finally {
    delete globalThis.document;
    delete globalThis.Element;
  }
}
