package dev.equipoise.protocol;

import dev.equipoise.protocol.dataset.OwnSpec;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for the names of data folders that an agent reports. */
public final class DataFolders {

    /** Most folders of a worker that the service knows. */
    public static final int MAX = 500;

    private static final Pattern NAME = Pattern.compile(OwnSpec.FOLDER);

    private DataFolders() {}

    /** Returns whether a definition can name the folder. */
    public static boolean isName(String folder) {
        return folder.length() <= OwnSpec.MAX_FOLDER && NAME.matcher(folder).matches();
    }

    /** Requires at most {@link #MAX} names of folders, or null; returns an immutable copy. */
    static @Nullable List<String> checked(@Nullable List<String> folders) {
        if (folders == null) {
            return null;
        }
        Rules.size("folders", folders, MAX);
        for (String folder : folders) {
            if (!isName(folder)) {
                throw new IllegalArgumentException(
                        "folders must be plain names of at most %d characters that match %s, but one was %s"
                                .formatted(
                                        OwnSpec.MAX_FOLDER,
                                        OwnSpec.FOLDER,
                                        DisplayText.clean(
                                                folder.substring(
                                                        0,
                                                        Math.min(
                                                                folder.length(),
                                                                OwnSpec.MAX_FOLDER)))));
            }
        }
        return List.copyOf(folders);
    }
}
