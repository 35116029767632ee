package dev.equipoise.app.worker;

/** A worker joined, left or changed its address; published in the transaction of the change. */
record LiveWorkersChanged() {}
