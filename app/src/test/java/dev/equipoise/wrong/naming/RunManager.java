package dev.equipoise.wrong.naming;

/** Has the forbidden suffix {@code Manager}. */
class RunManager {}
