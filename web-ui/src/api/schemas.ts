import type { components } from "./schema";

type Schemas = components["schemas"];

export type Caller = Schemas["Caller"];
export type Experiment = Schemas["Experiment"];
export type Problem = Schemas["Problem"];
export type Project = Schemas["Project"];
export type Run = Schemas["Run"];
export type Worker = Schemas["Worker"];
