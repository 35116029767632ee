package dev.equipoise.wrong.cycle.one;

import dev.equipoise.wrong.cycle.two.Two;

/** Depends on {@link Two}. */
public class One {

    Two two() {
        return new Two();
    }
}
