import type { Problem } from "./schemas";

/** The service refused, and said why. */
export class ServiceProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ServiceProblem";
    this.status = status;
  }

  /** Reads problem details; what stands between us and the service may answer with anything else. */
  static from(status: number, body: unknown): ServiceProblem {
    const { detail, title }: Partial<Problem> = typeof body === "object" && body !== null ? body : {};
    return new ServiceProblem(status, detail ?? title ?? `The service answered with status ${status.toString()}.`);
  }
}

/** No answer came. */
export class ServiceUnreachable extends Error {
  constructor(cause: unknown) {
    super("The service cannot be reached.", { cause });
    this.name = "ServiceUnreachable";
  }
}

export function isUnauthorized(error: Error): boolean {
  return error instanceof ServiceProblem && error.status === 401;
}
