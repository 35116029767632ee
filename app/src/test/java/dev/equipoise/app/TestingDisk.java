package dev.equipoise.app;

import dev.equipoise.app.file.DataDisk;
import dev.equipoise.app.file.DiskSpace;

/** A disk that a test fills; it is empty at first. */
public final class TestingDisk implements DataDisk {

    private static final DiskSpace EMPTY = new DiskSpace(Long.MAX_VALUE);

    private volatile DiskSpace space = EMPTY;

    @Override
    public DiskSpace space() {
        return space;
    }

    public void fill(long freeBytes) {
        space = new DiskSpace(freeBytes);
    }

    public void empty() {
        space = EMPTY;
    }
}
