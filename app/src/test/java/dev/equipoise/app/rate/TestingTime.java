package dev.equipoise.app.rate;

import io.github.bucket4j.TimeMeter;

/** Time that stands still, so that no permits come back during a test. */
final class TestingTime implements TimeMeter {

    static final TimeMeter STANDING = new TestingTime();

    private TestingTime() {}

    @Override
    public long currentTimeNanos() {
        return 1;
    }

    @Override
    public boolean isWallClockBased() {
        return false;
    }
}
