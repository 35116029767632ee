package dev.equipoise.app.schedule;

import org.springframework.beans.factory.BeanFactory;

/** Calls scheduled methods of a service, also of one without a schedule. */
public final class TestingDuties {

    private TestingDuties() {}

    /** Loses workers whose last heartbeat is too long ago. */
    public static void loseSilentWorkers(BeanFactory service) {
        service.getBean(Duties.class).loseSilentWorkers();
    }

    /** Places what waits in the queue on workers that are idle. */
    public static void giveWork(BeanFactory service) {
        service.getBean(Duties.class).giveWork();
    }
}
