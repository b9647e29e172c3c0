import { Client } from 'pg'

const client = new Client({ connectionString: process.argv[2] })
await client.connect()
await client.query(`drop schema if exists ${process.argv[3]} cascade`)
await client.end()
