package dev.equipoise.wrong.cycle.one;

import dev.equipoise.wrong.cycle.two.Two;

/** Needs two. */
public class One {

    Two two() {
        return new Two();
    }
}
