/** Returns the attribute of a property: `session-id` of `sessionId`. */
export const attributeOf = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
