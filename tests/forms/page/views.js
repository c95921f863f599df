// The two forms on a page: as elements, or as components of React, with the same properties.

import { kit } from "./kit.js";

const ATTRIBUTES = ["country", "method", "amount", "order", "lang"];
const FLAGS = ["required", "disabled", "compare"];
const QUERY = { country: "MEX", currency: "MXN" };

/** What a page leaves out, written anew each time, as pages do: a field, and one of the choices. */
const leavingOut = ({ hidden, withheld }) => [
  ({ fieldId }) => fieldId !== hidden,
  (fieldId, all) => all.filter(({ id }) => id !== withheld),
];

/** The elements themselves. What is removed comes back as it was. */
class ElementsView {
  keepsRemoved = true;
  amount = document.createElement("remit-amount");
  fields = Object.assign(document.createElement("remit-fields"), { kind: "transfer", ...QUERY, name: "fields" });

  constructor(place) {
    this.place = place;
    this.amount.name = "quote";
    Object.assign(this.amount, { remit: kit });
    Object.assign(this.fields, { remit: kit });
  }

  /** Sets again what is the same, as frameworks do: functions are others each time. */
  setAgain() {
    const [filter, options] = leavingOut(this.props);
    Object.assign(this.fields, { values: { ...this.fields.values }, initial: {}, masked: {}, filter, options });
    this.amount.setAttribute("country", this.amount.getAttribute("country"));
  }

  async show(props) {
    this.props = props;
    [this.fields.filter, this.fields.options] = leavingOut(props);
    for (const name of ATTRIBUTES) {
      for (const element of name === "lang" ? [this.amount, this.fields] : [this.amount]) {
        if (props[name] === undefined) element.removeAttribute(name);
        else element.setAttribute(name, props[name]);
      }
    }
    for (const flag of FLAGS) this.amount.toggleAttribute(flag, props[flag] === true);
    this.fields.toggleAttribute("required", props.required === true);
    if (this.fields.messages !== props.messages) this.fields.messages = props.messages;
    for (const name of ["amount", "fields"]) {
      const isThere = this[name].isConnected;
      if (props.removed === name && isThere) this[name].remove();
      else if (props.removed !== name && !isThere) this.place[name === "amount" ? "prepend" : "append"](this[name]);
    }
  }
}

/** Components of React, whose elements are others after they were removed. */
class ReactView {
  keepsRemoved = false;

  constructor(place, { mount }) {
    this.place = place;
    this.shop = mount(place, kit, QUERY);
  }

  get amount() {
    return this.place.querySelector("remit-amount") ?? this.lastAmount;
  }

  get fields() {
    return this.place.querySelector("remit-fields") ?? this.lastFields;
  }

  setAgain() {
    return this.show(this.props);
  }

  async show(props) {
    this.props = props;
    [this.lastAmount, this.lastFields] = [this.amount, this.fields];
    const [filter, filterOptions] = leavingOut(props);
    await this.shop.render({ ...props, filter, filterOptions });
  }
}

export const viewOf = (place, react) => (react ? new ReactView(place, react) : new ElementsView(place));
