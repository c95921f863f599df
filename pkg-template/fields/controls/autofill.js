/** The autofill names of a customer's own details, by the letters of field ids. */
export const AUTOFILL = {
  __proto__: null,
  firstname: "given-name",
  middlename: "additional-name",
  nickname: "nickname",
  lastname: "family-name",
  companyname: "organization",
  email: "email",
  emailaddress: "email",
  phonenumber: "tel-national",
  dateofbirth: "bday",
  addressline: "street-address",
  addressline1: "address-line1",
  addressline2: "address-line2",
  addresscity: "address-level2",
  addressstate: "address-level1",
  addresszip: "postal-code",
};
