package dev.equipoise.agent.wrongtoo;

import dev.equipoise.agent.wrong.EverythingManager;

/** Closes the cycle. */
public final class Accomplice {

    private Accomplice() {}

    public static void meet() {
        EverythingManager.nativeMemory();
    }
}
