package dev.equipoise.app.profile;

import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;

/** One point of one kernel's speed function. */
record KernelPoint(Kernel kernel, MeasuredPoint point) {}
