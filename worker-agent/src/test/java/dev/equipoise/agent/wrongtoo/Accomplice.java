package dev.equipoise.agent.wrongtoo;

import dev.equipoise.agent.wrong.EverythingManager;

/** Closes the cycle between packages. */
public final class Accomplice {

    private Accomplice() {}

    public static void meet() {
        EverythingManager.nativeMemory();
    }
}
