package dev.equipoise.app.measurement;

import dev.equipoise.protocol.Kernel;
import dev.equipoise.protocol.MeasuredPoint;

/** One measured point of the speed function of a kernel. */
record KernelPoint(Kernel kernel, MeasuredPoint point) {}
