package dev.equipoise.app.file;

/** The disk of the data folder. */
@FunctionalInterface
public interface DataDisk {

    /** Returns the present space. */
    DiskSpace space();
}
