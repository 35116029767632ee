package dev.equipoise.launcher.interrupt;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the command when the reader of its output has ended, as SIGPIPE ends other programs. The JVM
 * ignores that signal: a write fails instead, which {@link PrintStream} hides.
 */
public final class BrokenPipe {

    /** 128 and the number of SIGPIPE. */
    private static final int STATUS = 141;

    /** Masks the type of a file in its mode, as stat(2) returns it. */
    private static final int FILE_TYPE = 0xF000;

    private static final int PIPE = 0x1000;
    private static final int SOCKET = 0xC000;

    private static final AtomicBoolean FOUND = new AtomicBoolean();

    private BrokenPipe() {}

    /** Replaces standard output and standard error by streams that end the command. */
    public static void watch() {
        System.setOut(new PrintStream(standardOutput(), true, System.out.charset()));
        System.setErr(
                new PrintStream(new Watched(FileDescriptor.err, 2), true, System.err.charset()));
    }

    /** Returns standard output for bytes, which does not hide that a write has failed. */
    public static OutputStream standardOutput() {
        return new Watched(FileDescriptor.out, 1);
    }

    /** Returns whether a reader has ended; the command then ends without a message. */
    public static boolean isFound() {
        return FOUND.get();
    }

    /** Returns the exit status of a command, which is that of SIGPIPE if a reader has ended. */
    public static int status(int status) {
        return isFound() ? STATUS : status;
    }

    /** Ends the process in a thread of its own: the writer may hold locks of the shutdown hooks. */
    private static void end() {
        if (!FOUND.getAndSet(true)) {
            Thread.ofPlatform().start(() -> System.exit(STATUS));
        }
    }

    /** Output of a file descriptor. */
    private static final class Watched extends FilterOutputStream {

        private final int number;

        Watched(FileDescriptor descriptor, int number) {
            super(new FileOutputStream(descriptor));
            this.number = number;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException failure) {
                if (isPipe()) {
                    end();
                }
                throw failure;
            }
        }

        /**
         * Returns whether the descriptor is a pipe or a socket, whose writes fail only without a
         * reader. The message of the failure tells less, because the system translates it.
         */
        private boolean isPipe() {
            try {
                Path device = Path.of("/dev/fd", String.valueOf(number));
                return Files.getAttribute(device, "unix:mode") instanceof Integer mode
                        && ((mode & FILE_TYPE) == PIPE || (mode & FILE_TYPE) == SOCKET);
            } catch (IOException | UnsupportedOperationException unknown) {
                return false;
            }
        }
    }
}
