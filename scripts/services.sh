#!/usr/bin/env bash
# Brings what the tests use beside Node: PostgreSQL, Redis, nginx, pgbouncer.
# Installs only what is missing (Debian and its kin, as root) and starts PostgreSQL and Redis where they don't answer.
# Nothing of yours is changed: a PostgreSQL that already answers is used, and one that is started here has its own folder.
set -u
PGDATA=${HOLDPOINT_PGDATA:-/var/lib/postgresql/holdpoint}
problems=0

has() { command -v "$1" >/dev/null 2>&1 || [[ -x /usr/sbin/$1 ]]; }
problem() {
  echo "services: $*" >&2
  problems=$((problems + 1))
}
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
pg_bin() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }
wait_for() {
  for _ in $(seq 100); do
    answers "$1" && return 0
    sleep 0.1
  done
  return 1
}

missing=()
[[ -n ${DATABASE_URL:-} ]] || answers 5432 || [[ -n $(pg_bin) ]] || missing+=(postgresql)
[[ -n ${REDIS_URL:-} ]] || has redis-server || answers 6379 || missing+=(redis-server)
has nginx || missing+=(nginx)
has pgbouncer || missing+=(pgbouncer)

if [[ ${#missing[@]} -gt 0 ]]; then
  if [[ $(id -u) -ne 0 ]] || ! has apt-get; then
    problem "missing: ${missing[*]}. This script installs them on Debian as root (sudo bash scripts/services.sh)."
    problem 'Elsewhere: install them yourself, or set DATABASE_URL and REDIS_URL. Tests that need what is missing are skipped by name.'
  else
    echo "services: installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    # No cluster and no daemon of the packages' own: tests start nginx and pgbouncer themselves, on free ports.
    if [[ " ${missing[*]} " == *' postgresql '* && ! -e /etc/postgresql-common/createcluster.conf ]]; then
      mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    fi
    kept=$(mktemp)
    if [[ ! -e /usr/sbin/policy-rc.d ]]; then
      printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d && added_policy=1
    fi
    { apt-get update -q && apt-get install -y -q --no-install-recommends "${missing[@]}"; } >"$kept" 2>&1 ||
      { tail -n 20 "$kept" >&2; problem 'apt-get failed: see above'; }
    [[ -z ${added_policy:-} ]] || rm -f /usr/sbin/policy-rc.d
    rm -f "$kept"
  fi
fi

if [[ -z ${DATABASE_URL:-} ]] && ! answers 5432 && [[ -n $(pg_bin) ]]; then
  if [[ $(id -u) -ne 0 ]]; then
    problem 'PostgreSQL is installed but does not answer at 127.0.0.1:5432: start it, or run this script as root.'
  else
    echo "services: starting PostgreSQL in $PGDATA"
    mkdir -p "$PGDATA"
    # PostgreSQL refuses to be root. Where its user may not write to /dev/null (some containers): a user namespace, in
    # which root has another name.
    if su postgres -s /bin/bash -c ': >/dev/null' 2>/dev/null; then
      chown postgres: "$PGDATA"
      as_postgres() { su postgres -s /bin/bash -c "$1"; }
    else
      as_postgres() { unshare --user --map-user="$(id -u postgres)" --map-group="$(id -g postgres)" bash -c "$1"; }
    fi
    [[ -e $PGDATA/PG_VERSION ]] || as_postgres "'$(pg_bin)/initdb' -D '$PGDATA' -A trust -U postgres -E UTF8 >/dev/null"
    as_postgres "'$(pg_bin)/pg_ctl' -D '$PGDATA' -l '$PGDATA/log' -o '-h 127.0.0.1 -p 5432 -c max_connections=200 -c unix_socket_directories=' start >/dev/null"
    wait_for 5432 || problem "PostgreSQL did not start: see $PGDATA/log"
  fi
fi

if [[ -z ${REDIS_URL:-} ]] && ! answers 6379 && has redis-server; then
  echo 'services: starting Redis'
  redis-server --bind 127.0.0.1 --port 6379 --daemonize yes --save '' --appendonly no --dir /tmp >/dev/null
  wait_for 6379 || problem 'Redis did not start'
fi

[[ $problems -eq 0 ]] && echo 'services: PostgreSQL, Redis, nginx and pgbouncer are there'
[[ $problems -eq 0 ]]
