/* A disk that forgets: a copy of a folder that holds only what was synced.
 *
 * Preloaded into a program, it watches fsync and fdatasync: when one returns, the file as it is then lies in the folder
 * WARDOGS_POWER_TO, under the name it has below WARDOGS_POWER_FROM. What was written and not synced is not there. Renames,
 * links and removals happen there at once, in the order in which they were asked for. A copy is made beside and renamed
 * into place, so that a program killed in the middle leaves the copy before it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *from, *to;

__attribute__((constructor)) static void begin(void)
{
    /* Copied: PostgreSQL writes its title over the environment. */
    if (getenv("WARDOGS_POWER_FROM") && getenv("WARDOGS_POWER_TO")) {
        from = strdup(getenv("WARDOGS_POWER_FROM"));
        to = strdup(getenv("WARDOGS_POWER_TO"));
    }
}

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

/* The name in the copy of a full name; 0 if it is none of ours. */
static int mirrored(const char *path, char *out)
{
    size_t length;
    if (!from || !to)
        return 0;
    length = strlen(from);
    if (strncmp(path, from, length) || path[length] != '/')
        return 0;
    return snprintf(out, PATH_MAX, "%s%s", to, path + length) < PATH_MAX;
}

/* The same for a name as a program gives it, whose file may not be there. */
static int mirrored_name(const char *name, char *out)
{
    char folder[PATH_MAX], full[PATH_MAX], whole[PATH_MAX * 2];
    const char *last = strrchr(name, '/');
    if (!last)
        snprintf(folder, sizeof folder, ".");
    else
        snprintf(folder, sizeof folder, "%.*s", (int)(last == name ? 1 : last - name), name);
    if (!realpath(folder, full))
        return 0;
    snprintf(whole, sizeof whole, "%s/%s", full, last ? last + 1 : name);
    return mirrored(whole, out);
}

static void make_folders(char *path)
{
    for (char *p = path + strlen(to) + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        syscall(SYS_mkdir, path, 0700);
        *p = '/';
    }
}

static int lock(void)
{
    char name[PATH_MAX];
    int fd;
    snprintf(name, sizeof name, "%s.lock", to);
    fd = open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        flock(fd, LOCK_EX);
    return fd;
}

static void copy(int fd, const char *target)
{
    char part[PATH_MAX], block[1 << 16];
    off_t at = 0;
    ssize_t got = 0;
    int out;
    snprintf(part, sizeof part, "%s.part.%ld", to, (long)syscall(SYS_gettid));
    out = open(part, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (out < 0)
        return;
    while ((got = pread(fd, block, sizeof block, at)) > 0 && write(out, block, got) == got)
        at += got;
    close(out);
    if (got == 0)
        syscall(SYS_rename, part, target);
}

static void synced(int fd)
{
    char link[64], path[PATH_MAX], target[PATH_MAX];
    struct stat what;
    ssize_t length;
    int held, source, before = errno;
    if (!from || fstat(fd, &what) || !S_ISREG(what.st_mode))
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    if (!mirrored(path, target))
        return;
    held = lock();
    /* Never opened a second time where it can be read: closing it would drop the locks that SQLite holds on it. */
    source = (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY ? open(path, O_RDONLY | O_CLOEXEC) : fd;
    if (source >= 0) {
        make_folders(target);
        copy(source, target);
    }
    if (source >= 0 && source != fd)
        close(source);
    close(held);
    errno = before;
}

int fsync(int fd)
{
    int done = ((int (*)(int))real("fsync"))(fd);
    if (!done)
        synced(fd);
    return done;
}

int fdatasync(int fd)
{
    int done = ((int (*)(int))real("fdatasync"))(fd);
    if (!done)
        synced(fd);
    return done;
}

static void gone(const char *name)
{
    char target[PATH_MAX];
    int held, before = errno;
    if (mirrored_name(name, target)) {
        held = lock();
        syscall(SYS_unlink, target);
        close(held);
    }
    errno = before;
}

int unlink(const char *name)
{
    int done = ((int (*)(const char *))real("unlink"))(name);
    if (!done)
        gone(name);
    return done;
}

int rename(const char *old, const char *new)
{
    char was[PATH_MAX], is[PATH_MAX];
    int ours = mirrored_name(old, was) && mirrored_name(new, is);
    int done = ((int (*)(const char *, const char *))real("rename"))(old, new);
    if (!done && ours) {
        int held = lock();
        make_folders(is);
        syscall(SYS_rename, was, is);
        close(held);
    }
    return done;
}

int link(const char *old, const char *new)
{
    char was[PATH_MAX], is[PATH_MAX];
    int done = ((int (*)(const char *, const char *))real("link"))(old, new);
    if (!done && mirrored_name(old, was) && mirrored_name(new, is)) {
        int held = lock();
        make_folders(is);
        syscall(SYS_link, was, is);
        close(held);
    }
    return done;
}

int mkdir(const char *name, mode_t mode)
{
    char target[PATH_MAX];
    int done = syscall(SYS_mkdir, name, mode);
    if (!done && from && mirrored_name(name, target))
        syscall(SYS_mkdir, target, 0700);
    return done;
}
