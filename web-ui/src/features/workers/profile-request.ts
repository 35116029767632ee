import type { Schemas } from "@/api/schemas";

/** Fields of the form of a profile; an empty text is not filled in yet. */
export interface ProfileForm {
  readonly network: string;
  readonly points: "default" | "fixed" | "adaptive";
  readonly sizes: readonly string[];
  readonly from: number | string;
  readonly to: number | string;
  readonly accuracyPercent: number | string;
  readonly most: number | string;
  readonly company: readonly string[];
}

export const EMPTY: ProfileForm = {
  network: "",
  points: "default",
  sizes: [],
  from: "",
  to: "",
  accuracyPercent: "",
  most: "",
  company: [],
};

/** Returns the request, or null while something is missing. The service checks the ranges. */
export function profileRequest(form: ProfileForm): Schemas["NewProfile"] | null {
  const points = pointsOf(form);
  if (form.network === "" || points === undefined) {
    return null;
  }
  return {
    network: form.network,
    points,
    precision: null,
    company: form.company.length === 0 ? null : [...form.company],
  };
}

function pointsOf(form: ProfileForm): Schemas["Points"] | null | undefined {
  switch (form.points) {
    case "default":
      return null;
    case "fixed": {
      const sizes = form.sizes.map(Number);
      return sizes.length > 0 && sizes.every((size) => Number.isInteger(size) && size > 0)
        ? { kind: "fixed", sizes: [...new Set(sizes)].sort((a, b) => a - b) }
        : undefined;
    }
    case "adaptive": {
      const { from, to, accuracyPercent, most } = form;
      const figures = [from, to, accuracyPercent, most];
      return figures.every((figure) => typeof figure === "number")
        ? {
            kind: "adaptive",
            from: Number(from),
            to: Number(to),
            accuracy: Number(accuracyPercent) / 100,
            most: Number(most),
          }
        : undefined;
    }
  }
}
