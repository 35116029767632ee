package dev.equipoise.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Folders of the service and of agents that only their owner may list: the names of their files are
 * ids of runs and assignments.
 */
public final class PrivateFolder {

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private PrivateFolder() {}

    /**
     * Creates a folder and its missing parents, each with mode 700; a folder that exists keeps its
     * mode, which its owner may have chosen.
     *
     * @return the folder
     */
    public static Path create(Path folder) throws IOException {
        return Files.createDirectories(folder, OWNER_ALONE);
    }
}
