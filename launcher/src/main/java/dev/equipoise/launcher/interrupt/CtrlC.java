package dev.equipoise.launcher.interrupt;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Replaces the reaction to Ctrl-C (SIGINT). The JDK has no supported interface for that: {@code
 * sun.misc.Signal} of the module {@code jdk.unsupported} is called by reflection, since the
 * compiler warns of each direct use.
 */
public final class CtrlC {

    private CtrlC() {}

    /** Runs the action in a thread of its own at each Ctrl-C. */
    public static void handle(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            signal.getMethod("handle", signal, handler)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance("INT"),
                            proxy(handler, action));
        } catch (ReflectiveOperationException unsupported) {
            throw new IllegalStateException("this JDK has no sun.misc.Signal", unsupported);
        }
    }

    private static Object proxy(Class<?> handler, Runnable action) {
        InvocationHandler invocation =
                (_, method, arguments) -> {
                    if (!method.getName().equals("handle")) {
                        return method.invoke(action, arguments);
                    }
                    action.run();
                    return null;
                };
        return Proxy.newProxyInstance(
                CtrlC.class.getClassLoader(), new Class<?>[] {handler}, invocation);
    }
}
