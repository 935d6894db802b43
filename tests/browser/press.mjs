/** Presses the button with this name on a page, or in a part of it. */
export const press = (place, name) => place.getByRole("button", { name, exact: true }).click();
